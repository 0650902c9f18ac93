import { expect } from 'vitest'
import type { Organisation } from '#server/testing/given-places.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { changeFloor, listOccupants, searchOccupants, setPersonStatus } from '../calls/evacuation.ts'

async function searchIn(server: TestServer, org: Organisation) {
  const warden = await server.given.warden(org)
  await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const call = await server.onDuty(warden)
  const names = async (text: string) => {
    const { persons, pagination } = await call(searchOccupants, { params: { text } })
    expect(pagination.total).toBe(persons.length)
    return persons.map(({ name }) => name)
  }
  return { call, names }
}

test('FLOOR-32 FLOOR-48 any part of the name, from one character, in any letter case', async ({ server }) => {
  const org = await server.given.organisation()
  const { occupant } = server.given
  await occupant(org, { firstName: 'Émile', lastName: 'Zola' })
  await occupant(org, { firstName: 'Zoë', lastName: "O'Brien-Müller" })
  await occupant(org, { firstName: 'Bob', lastName: 'Stone' })
  const { names } = await searchIn(server, org)

  expect(await names('z')).toEqual(['Émile Zola', "Zoë O'Brien-Müller"])
  expect(await names('ÉMILE')).toEqual(['Émile Zola'])
  expect(await names('  zoë  ')).toEqual(["Zoë O'Brien-Müller"])
  expect(await names('MÜL')).toEqual(["Zoë O'Brien-Müller"])
  expect(await names('b s')).toEqual(['Bob Stone'])
  expect(await names('xyz')).toEqual([])
})

test('FLOOR-48 T18 signs of the search language and of SQL are only characters', async ({ server }) => {
  const org = await server.given.organisation()
  const { occupant } = server.given
  const odd = [
    '100% Sure',
    'Under_score',
    'Back\\slash',
    "Quo'te",
    'Dou"ble',
    'Slash/ed',
    'Semi;colon--',
    'Plus+And&Hash#?',
  ]
  for (const name of odd) await occupant(org, { firstName: name, lastName: 'X' })
  await occupant(org, { firstName: 'Plain', lastName: 'Y' })
  const { names } = await searchIn(server, org)

  for (const [text, expected] of [
    ['%', '100% Sure X'],
    ['_', 'Under_score X'],
    ['\\', 'Back\\slash X'],
    ["'", undefined],
    ["quo'te", "Quo'te X"],
    ['"', 'Dou"ble X'],
    ['/', 'Slash/ed X'],
    ['; colon', 'Semi;colon-- X'],
    [';; colon', undefined],
    [';colon--', 'Semi;colon-- X'],
    ['+and&hash#?', 'Plus+And&Hash#? X'],
    ["' or '1'='1", undefined],
  ] as const)
    expect([text, await names(text)]).toEqual([text, expected === undefined ? [] : [expected]])
})

test('FLOOR-48 AMB-106 the whole selected building, the selected floor first; no other building', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { occupant } = server.given
  await occupant(org, { firstName: 'Kim', lastName: 'Ground' })
  await occupant(org, { firstName: 'Kim', lastName: 'Above', floorUid: org.floors[1] })
  await occupant(org, { firstName: 'Kim', lastName: 'Top', floorUid: org.floors[2] })
  await occupant(org, { firstName: 'Kim', lastName: 'Elsewhere', floorUid: org.otherFloorUid })
  await server.given.visitor(org, { firstName: 'Kim', floorUid: null })
  const { call, names } = await searchIn(server, org)

  const fromGround = await names('kim')
  await call(changeFloor, { body: { floor: org.floors[2] } })
  const fromTop = await names('kim')

  expect(fromGround).toEqual(['Kim Ground', expect.stringMatching(/^Kim \d/), 'Kim Above', 'Kim Top'])
  expect(fromTop).toEqual(['Kim Top', expect.stringMatching(/^Kim \d/), 'Kim Above', 'Kim Ground'])
})

test('FLOOR-48 AMB-106 who was seen in this building is found here, and no longer at home', async ({ server }) => {
  const org = await server.given.organisation()
  const guest = await server.given.occupant(org, { firstName: 'Guest', floorUid: org.otherFloorUid })
  const gone = await server.given.occupant(org, { firstName: 'Gone' })
  const { call, names } = await searchIn(server, org)

  await call(setPersonStatus, { body: { personId: guest, status: 'safe', floorId: org.floors[2] } })
  await call(setPersonStatus, { body: { personId: gone, status: 'safe', floorId: org.otherFloorUid } })

  expect(await names('guest')).toHaveLength(1)
  expect(await names('gone')).toEqual([])
})

test('API-38 FLOOR-45 a search has pages too: everyone once, the selected floor first', async ({ server }) => {
  const org = await server.given.organisation()
  const here = await server.given.occupants(org, 25, { prefix: 'Kim' })
  const above = await server.given.occupants(org, 25, { prefix: 'Kim', floorUid: org.floors[1] })
  await server.given.occupants(org, 5, { prefix: 'Lee' })
  const { call } = await searchIn(server, org)

  const first = await call(searchOccupants, { params: { text: 'kim' } })
  const found = [...first.persons]
  for (let page = first; page.pagination.next_page_url; ) {
    const query = Object.fromEntries(new URL(page.pagination.next_page_url, 'http://evac.test').searchParams)
    page = await call(listOccupants, { query: query as never })
    expect(page.pagination.total).toBe(50)
    found.push(...page.persons)
  }

  expect(found.map(({ id }) => id)).toEqual([...here, ...above])
  expect(first.pagination).toMatchObject({ total: 50, from: 1, current_page: 1, total_pages: 3 })
})

test('AMB-113 a hundred characters of any script are searched, a hundred and one are 422', async ({ server }) => {
  const org = await server.given.organisation()
  await server.given.occupant(org, { firstName: '難'.repeat(120), lastName: 'X' })
  const { call, names } = await searchIn(server, org)

  expect(await names('難'.repeat(100))).toHaveLength(1)
  await expect(call(searchOccupants, { params: { text: '難'.repeat(101) } })).rejects.toMatchObject({ status: 422 })
  await expect(call(searchOccupants, { params: { text: 'a\u0000b' } })).rejects.toMatchObject({ status: 422 })
})
