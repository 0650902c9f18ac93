import { expect } from 'vitest'
import { createEvent } from '#features/events/calls/events.ts'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { startInput } from '#server/testing/event-input.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getFloorData, listOccupants, type PersonsPage, setPersonStatus, toggleRefusal } from '../calls/evacuation.ts'

async function wardenOf(server: TestServer, org: Organisation) {
  const warden = await server.given.warden(org)
  await server.runningEvent(org)
  return server.onDuty(warden)
}

/** The list as a phone loads it: the first page, then each `next_page_url` as it was given. */
async function walk(server: TestServer, { token }: { token: string }, first: string) {
  const pages: PersonsPage[] = []
  for (let url: string | null = first; url; url = pages.at(-1)?.pagination.next_page_url ?? null) {
    const response = await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    expect(response.statusCode).toBe(200)
    pages.push(response.json())
  }
  return { pages, people: pages.flatMap(({ persons }) => persons) }
}

test('FLOOR-06 FLOOR-45 API-39 the pages hold everyone once, by name, equal names too', async ({ server }) => {
  const org = await server.given.organisation()
  const expected = await server.given.occupants(org, 20, { prefix: 'Zoe' })
  const twins = await Promise.all(
    Array.from({ length: 25 }, () => server.given.occupant(org, { firstName: 'Alex', lastName: 'Kim' })),
  )
  const call = await wardenOf(server, org)

  const { pages, people } = await walk(server, call, '/api/floor/evacuation/persons')

  expect(people.slice(25).map(({ id }) => id)).toEqual(expected)
  expect(new Set(people.slice(0, 25).map(({ id }) => id))).toEqual(new Set(twins))
  expect(pages.map(({ persons }) => persons.length)).toEqual([20, 20, 5])
  expect(pages.map(({ pagination: { next_page_url, ...numbers } }) => numbers)).toEqual(
    [1, 21, 41].map((from, i) => ({ from, total: 45, current_page: i + 1, total_pages: 3 })),
  )
})

test('AMB-114 AMB-108 people stand in reading order over all pages: Åsa with the a, Éva with the e', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const inOrder = [
    'Ann Zeller',
    'Anna Abel',
    'Åsa Berg',
    'bea Cole',
    'Érica Dahl',
    'Eva Dahl',
    'Éva Dahl',
    'Ole Ek',
    'Zoe Ek',
  ]
  for (const name of inOrder.toReversed()) {
    const [firstName, lastName] = name.split(' ') as [string, string]
    for (let n = 0; n < 3; n++) await server.given.occupant(org, { firstName, lastName })
  }
  const call = await wardenOf(server, org)

  const { people } = await walk(server, call, '/api/floor/evacuation/persons')

  expect(people.map(({ name }) => name)).toEqual(inOrder.flatMap((name) => [name, name, name]))
})

test('FLOOR-45 twenty people are one page without another; none are page one of none', async ({ server }) => {
  const org = await server.given.organisation()
  await server.given.occupants(org, 20)
  const call = await wardenOf(server, org)

  const full = await call(listOccupants, { query: {} })
  const empty = await call(listOccupants, { query: { floor: org.floors[1] } })

  expect(full.persons).toHaveLength(20)
  expect(full.pagination).toEqual({ next_page_url: null, total: 20, from: 1, current_page: 1, total_pages: 1 })
  expect(empty).toEqual({
    persons: [],
    counts: { safe: 0, unknown: 0, danger: 0, total: 0 },
    pagination: { next_page_url: null, total: 0, from: 0, current_page: 1, total_pages: 0 },
  })
})

test('API-40 a page by its number alone is the same people as by its address', async ({ server }) => {
  const org = await server.given.organisation()
  await server.given.occupants(org, 45)
  const call = await wardenOf(server, org)

  const { pages } = await walk(server, call, '/api/floor/evacuation/persons')
  const byNumber = await Promise.all(['1', '2', '3', '4'].map((page) => call(listOccupants, { query: { page } })))

  expect(byNumber.slice(0, 3)).toEqual(pages)
  expect(byNumber[3]).toMatchObject({ persons: [], pagination: { total: 45, current_page: 4, next_page_url: null } })
})

test('API-39 the walk goes on from where it was while people before that place come and go', async ({ server }) => {
  const org = await server.given.organisation()
  const people = await server.given.occupants(org, 45)
  const call = await wardenOf(server, org)
  const first = await call(listOccupants, { query: {} })

  for (const personId of people.slice(0, 5))
    await call(setPersonStatus, { body: { personId, status: 'safe', floorId: org.floors[1] } })
  const rest = await walk(server, call, first.pagination.next_page_url as string)

  expect([...first.persons, ...rest.people].map(({ id }) => id)).toEqual(people)
})

test('API-39 AMB-108 the address says the floor itself: changing floors elsewhere does not bend the walk', async ({
  server,
}) => {
  const org = await server.given.organisation()
  await server.given.occupants(org, 25)
  const call = await wardenOf(server, org)
  const data = await call(getFloorData, {})
  const next = 'pagination' in data ? (data.pagination.next_page_url as string) : ''

  await call(listOccupants, { query: { floor: org.floors[2] } })
  const { people } = await walk(server, call, next)

  expect(next).toMatch(/^\/api\/floor\/evacuation\/persons\?/)
  expect(decodeURIComponent(next)).not.toMatch(/occupant \d/i)
  expect(people).toHaveLength(5)
})

test('FLOOR-45 long names in any script turn the page too', async ({ server }) => {
  const org = await server.given.organisation()
  for (let i = 0; i < 25; i++)
    await server.given.occupant(org, { firstName: '避難'.repeat(45), lastName: `${i}`.padStart(90, '難') })
  const call = await wardenOf(server, org)

  const { people } = await walk(server, call, '/api/floor/evacuation/persons')

  expect(new Set(people.map(({ id }) => id)).size).toBe(25)
})

test('FLOOR-40 AMB-114 who was seen on another floor is listed there, with where they are', async ({ server }) => {
  const org = await server.given.organisation()
  const person = await server.given.occupant(org)
  const warden = await server.given.warden(org)
  const { manager } = await server.runningEvent(org)
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))
  const call = await server.onDuty(warden)

  await call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.otherFloorUid } })

  const listed = async (floor: FloorUid) => (await call(listOccupants, { query: { floor } })).persons
  expect(await listed(org.floorUid)).toEqual([])
  expect(await listed(org.otherFloorUid)).toMatchObject([{ id: person, location: 'Tower B - Ground', status: 'safe' }])
})

test('FLOOR-43 a card tells of unread replies, and of a message without a reply', async ({ server }) => {
  const org = await server.given.organisation()
  const [asked, answered, read] = (await server.given.occupants(org, 3)) as [PersonUid, PersonUid, PersonUid]
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  await server.given.evacueeMessage(eventUid, asked, { direction: 'out' })
  await server.given.evacueeMessage(eventUid, answered, { direction: 'out' })
  await server.given.evacueeMessage(eventUid, answered, { direction: 'in' })
  await server.given.evacueeMessage(eventUid, read, { direction: 'in', readAt: new Date() })

  const { persons } = await call(listOccupants, { query: {} })

  expect(persons.map(({ message }) => message)).toEqual([
    { unread: false, noreply: true },
    { unread: true, noreply: false },
    { unread: false, noreply: false },
  ])
})

test('T2 a floor outside the event is 404, an address the server did not make is 422', async ({ server }) => {
  const org = await server.given.organisation()
  const other = await server.given.organisation()
  const call = await wardenOf(server, org)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const foreign = [org.otherFloorUid, other.floorUid, unknown as FloorUid]
  const forged = ['x', '1', unknown, `2${unknown}`, `1${'-'.repeat(36)}`, `1${unknown}\u0000`, `1${unknown}'`]
  const pages = ['0', '-1', '1.5', 'x', '1e3', '9999999', '']

  const ask = (query: { floor?: FloorUid; after?: string; page?: string }) => call(listOccupants, { query })

  expect(await refused(...foreign.map((floor) => ask({ floor })))).toEqual(Array(3).fill('not_found'))
  expect(await refused(...forged.map((after) => ask({ after })))).toEqual(Array(7).fill('invalid_request'))
  expect(await refused(...pages.map((page) => ask({ page })))).toEqual(Array(7).fill('invalid_request'))
  expect((await ask({ after: `1${unknown}` })).persons).toEqual([])
})

test('UX-31 the order of attention: in danger, unknown with a PEEP, unknown, refused, safe, each by name', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const named = (firstName: string) => server.given.occupant(org, { firstName, lastName: 'Kim' })
  const [ann, bea, cai, dan, eve, fay] = [
    await named('Ann'),
    await named('Bea'),
    await named('Cai'),
    await named('Dan'),
    await named('Eve'),
    await named('Fay'),
  ] as const
  const crowd = await server.given.occupants(org, 30, { prefix: 'Moe' })
  await server.given.peep(org, dan)
  const call = await wardenOf(server, org)
  const at = { floorId: org.floorUid }
  await call(setPersonStatus, { body: { ...at, personId: ann, status: 'safe' } })
  for (const personId of [fay, eve]) await call(setPersonStatus, { body: { ...at, personId, status: 'in danger' } })
  await call(toggleRefusal, { body: { ...at, person: bea } })

  const { people } = await walk(server, call, '/api/floor/evacuation/persons?order=attention')

  expect(people.map(({ id }) => id)).toEqual([eve, fay, dan, cai, ...crowd, bea, ann])
  const first = await call(getFloorData, { query: { order: 'attention' } })
  expect(first).toMatchObject({
    persons: people.slice(0, 20),
    counts: { danger: 2, unknown: 33, safe: 1, total: 36 },
  })
})

test('UX-30 a floor can be asked for one status or for people with a PEEP, by pages', async ({ server }) => {
  const org = await server.given.organisation()
  const [planned, safe] = [await server.given.occupant(org), await server.given.occupant(org)] as const
  await server.given.occupants(org, 25)
  await server.given.peep(org, planned)
  const call = await wardenOf(server, org)
  await call(setPersonStatus, { body: { floorId: org.floorUid, personId: safe, status: 'safe' } })

  const unknown = await walk(server, call, '/api/floor/evacuation/persons?order=attention&status=unknown')
  const peep = await call(listOccupants, { query: { assist: 'yes' } })
  const both = await call(listOccupants, { query: { assist: 'yes', status: 'safe' } })

  expect(unknown.people).toHaveLength(26)
  expect(unknown.people[0]?.id).toBe(planned)
  expect(unknown.pages[0]?.pagination.total).toBe(26)
  expect(peep).toMatchObject({ persons: [{ id: planned }], pagination: { total: 1 } })
  expect(both).toMatchObject({ persons: [], pagination: { total: 0 }, counts: { total: 27 } })
})

test('UX-31 the rows that a phone shows are read again in its order, also with another status, and none of other places', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const [a, b] = [await server.given.occupant(org), await server.given.occupant(org)] as const
  await server.given.occupant(org, { floorUid: org.floors[1] })
  const call = await wardenOf(server, org)
  const { persons } = await call(listOccupants, { query: {} })
  const elsewhere = await call(listOccupants, { query: { floor: org.floors[1] } })
  const rowOf = (id: PersonUid) => persons.find((person) => person.id === id)?.evacuee_list_uid ?? ''
  await call(setPersonStatus, { body: { floorId: org.floorUid, personId: b, status: 'safe' } })

  const foreign = await server.given.organisation()
  await server.given.occupant(foreign)
  const theirs = await (await wardenOf(server, foreign))(listOccupants, { query: {} })

  const others = [elsewhere, theirs].map((page) => page.persons[0]?.evacuee_list_uid)
  const rows = [...others, org.floorUid, rowOf(b), rowOf(a)].join(',')
  const again = await call(listOccupants, { query: { floor: org.floorUid, rows } })

  expect(again.persons.map(({ id, status }) => [id, status])).toEqual([
    [b, 'safe'],
    [a, 'unknown'],
  ])
})

test('UX-31 anyone who changes between two pages is missing from none: shown, or counted among those in danger', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const people = await server.given.occupants(org, 50)
  const call = await wardenOf(server, org)
  const mark = (personId: PersonUid | undefined, status: string) =>
    call(setPersonStatus, { body: { floorId: org.floorUid, personId: personId as PersonUid, status } })

  const first = await call(listOccupants, { query: { order: 'attention' } })
  await mark(people[3], 'safe')
  await mark(people[30], 'in danger')
  const { pages, people: rest } = await walk(server, call, first.pagination.next_page_url ?? '')

  const seen = [...first.persons, ...rest].map(({ id }) => id)
  expect(seen.filter((id) => id === people[3])).toHaveLength(2)
  expect(people.filter((id) => !seen.includes(id))).toEqual([people[30]])
  expect(pages.map(({ counts }) => counts)).toEqual(Array(2).fill({ safe: 1, unknown: 48, danger: 1, total: 50 }))
})
