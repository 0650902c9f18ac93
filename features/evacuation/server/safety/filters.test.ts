import { expect } from 'vitest'
import { defaultFilters } from '#kernel/kinds.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { filterEvacuees, getSafetyData, listAreaFloors } from '../../calls/safety.ts'
import { evacueeSafety, everyone } from './safety.fixture.ts'

test('API-51 SAFE-22 AMB-121 the screen opens with the own area, its counts, and every building to choose from', async ({
  server,
}) => {
  const { org, person, start } = await evacueeSafety(server)
  const here = await person('Here')
  await person('Above', org.floors[1])
  const { call } = await start()

  const data = await call(getSafetyData, { body: null })

  expect(data).toMatchObject({ filterCounts: { safe: 0, unknown: 1, danger: 0, total: 1 }, sms_allowed: true })
  expect(data.evacuees).toMatchObject([
    { id: here, name: 'Here Quiet', location: 'Tower A - Ground', status: 'unknown', message: { unread: false } },
  ])
  expect(data.buildings.map(({ name, floors }) => [name, floors.map((floor) => floor.name)])).toEqual([
    ['Tower A', ['Ground', 'Level 1', 'Level 2']],
    ['Tower B', ['Ground']],
  ])
})

test('SAFE-34 SAFE-21 AMB-120 my area is the floor, the building or the site of the role; everyone is the whole event', async ({
  server,
}) => {
  for (const [role, own] of [
    ['Floor Warden', ['Ground']],
    ['Building Warden', ['Above', 'Ground', 'Lobby']],
    ['Chief Warden', ['Above', 'Ground', 'Lobby', 'Other']],
  ] as const) {
    const { org, person, start } = await evacueeSafety(server, { role })
    await person('Ground')
    await person('Above', org.floors[1])
    await person('Other', org.otherFloorUid)
    await server.given.visitor(org, { firstName: 'Lobby', floorUid: null })
    const { names } = await start()

    expect([role, await names()]).toEqual([role, own])
    expect(await names(everyone)).toEqual(['Above', 'Ground', 'Lobby', 'Other'])
  }
})

test('SAFE-12 AMB-120 floors that are named, and with all floors of a building its people without one', async ({
  server,
}) => {
  const { org, person, start } = await evacueeSafety(server)
  await person('Ground')
  await person('Above', org.floors[1])
  await server.given.visitor(org, { firstName: 'Lobby', floorUid: null })
  const { names } = await start()
  const named = (...floors: (typeof org.floors)[number][]) => names({ area: 'building', floors })

  expect(await named(org.floors[1])).toEqual(['Above'])
  expect(await named(org.floors[0], org.floors[1])).toEqual(['Above', 'Ground'])
  expect(await named(...org.floors)).toEqual(['Above', 'Ground', 'Lobby'])
})

test('SAFE-34 T1 floors of another organisation and unknown ones are passed over alike', async ({ server }) => {
  const { org, person, start } = await evacueeSafety(server)
  await person('Ground')
  const foreign = await server.given.organisation()
  const { filter, names } = await start()

  expect(await names({ area: 'building', floors: [foreign.floorUid, org.floorUid] })).toEqual(['Ground'])
  expect(await filter({ area: 'building', floors: [foreign.floorUid] })).toMatchObject({ error: 'no_evacuees' })
})

test('SAFE-32 assist, visitor and refusal each keep those they name, and together those who are all of it', async ({
  server,
}) => {
  const { org, person, start } = await evacueeSafety(server)
  await server.given.peep(org, await person('Plan'))
  await server.given.visitor(org, { firstName: 'Guest' })
  const both = await server.given.visitor(org, { firstName: 'Both' })
  await server.given.peep(org, both)
  const refuser = await person('Refuser')
  const { names, eventUid } = await start()
  for (const personUid of [refuser, both])
    await server.db
      .updateTable('evacuee')
      .set({ refused: true })
      .where('eventUid', '=', eventUid)
      .where('personUid', '=', personUid)
      .execute()

  expect(await names({ assist: true })).toEqual(['Both', 'Plan'])
  expect(await names({ visitor: true })).toEqual(['Both', 'Guest'])
  expect(await names({ refusal: true })).toEqual(['Both', 'Refuser'])
  expect(await names({ assist: true, visitor: true, refusal: true })).toEqual(['Both'])
})

test('SAFE-33 AMB-121 unread: a reply that no warden has read; no reply: the last message is ours', async ({
  server,
}) => {
  const { person, start } = await evacueeSafety(server)
  const people = {
    asked: await person('Asked'),
    answered: await person('Answered'),
    read: await person('Read'),
    again: await person('Again'),
  }
  await person('Nothing')
  const { names, filter, eventUid } = await start()
  const { evacueeMessage } = server.given
  for (const asked of Object.values(people)) await evacueeMessage(eventUid, asked, { direction: 'out' })
  await evacueeMessage(eventUid, people.answered, { direction: 'in' })
  await evacueeMessage(eventUid, people.read, { direction: 'in', readAt: new Date() })
  await evacueeMessage(eventUid, people.again, { direction: 'in' })
  await evacueeMessage(eventUid, people.again, { direction: 'out' })

  expect(await names({ message: 'unread' })).toEqual(['Again', 'Answered'])
  expect(await names({ message: 'no reply' })).toEqual(['Again', 'Asked'])
  expect(await names({ message: 'show all' })).toHaveLength(5)
  const shown = (await filter({ message: 'unread' })).evacuees.map(({ message }) => message)
  expect(shown).toEqual([
    { unread: true, noreply: true },
    { unread: true, noreply: false },
  ])
})

test('SAFE-35 SAFE-28 the counts stay when only display changes, and follow every other filter', async ({ server }) => {
  const { org, person, start } = await evacueeSafety(server)
  const [first, second] = [await person('First'), await person('Second')]
  await person('Third')
  await server.given.peep(org, second)
  const { filter, names, set } = await start()
  await set(first, 'safe')
  await set(second, 'in danger')
  const counts = { safe: 1, unknown: 1, danger: 1, total: 3 }

  for (const [display, who] of [
    ['safe', ['First']],
    ['danger', ['Second']],
    ['unknown', ['Third']],
    ['all', ['First', 'Second', 'Third']],
  ] as const) {
    expect((await filter({ display })).filterCounts).toEqual(counts)
    expect(await names({ display })).toEqual(who)
  }
  for (const display of ['danger', 'safe'] as const) {
    const { filterCounts, pagination } = await filter({ display, assist: true })
    expect(filterCounts).toEqual({ safe: 0, unknown: 0, danger: 1, total: 1 })
    expect(pagination.total).toBe(display === 'danger' ? 1 : 0)
  }
})

test('API-53 SAFE-26 no one matches: no_evacuees, with the counts of the other filters', async ({ server }) => {
  const { person, start } = await evacueeSafety(server)
  await person('Only')
  const { filter } = await start()

  expect(await filter({ display: 'danger' })).toMatchObject({
    error: 'no_evacuees',
    evacuees: [],
    filterCounts: { safe: 0, unknown: 1, danger: 0, total: 1 },
  })
})

test('API-52 SAFE-31 AMB-122 pages: everyone once, by name over several floors, with the same filters', async ({
  server,
}) => {
  const { org, start } = await evacueeSafety(server)
  const here = await server.given.occupants(org, 25, { prefix: 'Kim' })
  const above = await server.given.occupants(org, 20, { prefix: 'Lee', floorUid: org.floors[1] })
  const { call, filter, set } = await start()
  for (const id of here.slice(0, 22)) await set(id, 'safe')

  for (const [filters, expected] of [
    [everyone, [...here, ...above]],
    [{ ...everyone, display: 'safe' }, here.slice(0, 22)],
    [{ ...everyone, search: 'kim' }, here],
    [{ ...everyone, search: 'level 1' }, above],
  ] as const) {
    const pages = [await filter(filters)]
    for (let url = pages[0]?.pagination.next_page_url; url; url = pages.at(-1)?.pagination.next_page_url) {
      expect(url.startsWith(`${filterEvacuees.path}?`)).toBe(true)
      const query = Object.fromEntries(new URLSearchParams(url.split('?')[1]))
      pages.push(await call(filterEvacuees, { query, body: { ...defaultFilters, ...filters } }))
    }
    expect(pages.flatMap(({ evacuees }) => evacuees.map(({ id }) => id))).toEqual(expected)
    expect(pages.map(({ pagination }) => pagination.total)).toEqual(pages.map(() => expected.length))
  }
})

test('AMB-122 a page that the server did not make is refused', async ({ server }) => {
  const { start } = await evacueeSafety(server)
  const { call } = await start()
  const body = defaultFilters

  expect(await refused(call(filterEvacuees, { query: { page: '2', after: "x' or 1=1" }, body }))).toEqual([
    'invalid_request',
  ])
  expect(await refused(call(filterEvacuees, { query: {}, body: { ...body, area: 'moon' as never } }))).toEqual([
    'invalid_request',
  ])
})

test('SAFE-24 AMB-121 from three characters on: part of the name, the place or the phone number', async ({
  server,
}) => {
  const { org, start } = await evacueeSafety(server)
  const { occupant } = server.given
  await occupant(org, { firstName: 'Zoë', lastName: "O'Brien", mobile: '61491570006' })
  await occupant(org, { firstName: '100% Sure', lastName: 'Under_score', floorUid: org.floors[2], mobile: null })
  await occupant(org, { firstName: 'Rosa', lastName: 'Stone', floorUid: org.otherFloorUid, mobile: '61491570999' })
  const { names } = await start()
  const search = (text: string) => names({ ...everyone, search: text })
  const all = ['100%', 'Rosa', 'Zoë']

  for (const [text, who] of [
    ['ZOË', ['Zoë']],
    ["o'br", ['Zoë']],
    ['  brien ', ['Zoë']],
    ['0% s', ['100%']],
    ['r_s', ['100%']],
    ['level 2', ['100%']],
    ['tower b', ['Rosa']],
    ['B - Gro', ['Rosa']],
    ['0491 570', ['Rosa', 'Zoë']],
    ['+61 491 570 999', ['Rosa']],
    ['570', ['Rosa', 'Zoë']],
    ['zo', all],
    ['  x ', all],
    ['', all],
    ['nobody', []],
    ["' or '1'='1", []],
  ] as const)
    expect([text, await search(text)]).toEqual([text, who])
})

test('SAFE-24 T1 a search never finds people of another organisation or another event', async ({ server }) => {
  const { org, person, start } = await evacueeSafety(server)
  await person('Kim')
  const elsewhere = await server.given.site(org)
  await server.given.occupant(elsewhere, { firstName: 'Kim' })
  const other = await evacueeSafety(server)
  await other.person('Kim')
  const { names } = await start()
  await other.start()

  expect(await names({ ...everyone, search: 'kim' })).toEqual(['Kim'])
})

test('API-54 AMB-120 the floors of the own area, and of the whole event', async ({ server }) => {
  const { org, start } = await evacueeSafety(server)
  const { call } = await start()

  const own = await call(listAreaFloors, { query: { area: 'my area' } })
  const all = await call(listAreaFloors, { query: { area: 'everyone' } })

  expect(own).toEqual({
    floors: [
      {
        buildingId: org.buildingUid,
        name: 'Tower A',
        floors: [{ id: org.floorUid, name: 'Ground', status: org.statusUids[0] }],
      },
    ],
    floorsTotal: 1,
  })
  expect(all.floors.map(({ name }) => name)).toEqual(['Tower A', 'Tower B'])
  expect(all.floorsTotal).toBe(4)
  expect(await call(listAreaFloors, { query: { area: 'building' } })).toEqual(all)
})

test('AMB-149 without an event, and off duty, no one is shown and the answer says why', async ({ server }) => {
  const { warden, person, start } = await evacueeSafety(server)
  await person('Only')
  const call = await server.as(warden)
  const ask = async () => {
    const data = await call(getSafetyData, { body: null })
    const page = await call(filterEvacuees, { query: {}, body: defaultFilters })
    const { floors, error } = await call(listAreaFloors, { query: { area: 'everyone' } })
    expect([data.evacuees, data.buildings, page.evacuees, floors]).toEqual([[], [], [], []])
    return [data.error, page.error, error]
  }

  expect(await ask()).toEqual(['no_event', 'no_event', 'no_event'])
  await start()
  await server.db.updateTable('wardenSignIn').set({ onDuty: false }).where('personUid', '=', warden.personUid).execute()
  expect(await ask()).toEqual(['not_on_duty', 'not_on_duty', 'not_on_duty'])
})
