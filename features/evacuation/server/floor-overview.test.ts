import { expect } from 'vitest'
import type { BuildingUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { setFloorStatus, setPersonStatus, toggleRefusal } from '../calls/evacuation.ts'
import {
  type FloorOverview,
  getFloorOverview,
  listFloorlessPeople,
  listFloorPeople,
  type PeepsPage,
  searchEventPeople,
  setStatusOnFloor,
} from '../calls/floor-overview.ts'

async function bothTowers(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const start = async () => {
    const event = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
    const call = await server.onDuty(warden)
    const overview = async (building_id?: string) =>
      (await call(getFloorOverview, {
        query: building_id ? { building_id: building_id as never } : {},
      })) as FloorOverview
    return { ...event, call, overview }
  }
  return { org, warden, start }
}
const named = (page: PeepsPage) => page.peeps.map(({ name }) => name.replace(/ .*/, ''))

test('FES-01 FES-07 AMB-116 every floor of the event with its status, counts and refusals', async ({ server }) => {
  const { org, start } = await bothTowers(server)
  const [first, second] = await server.given.occupants(org, 3)
  await server.given.visitor(org, { floorUid: null })
  const { call, overview } = await start()
  await call(setPersonStatus, { body: { personId: first as PersonUid, status: 'safe', floorId: org.floors[1] } })
  await call(setPersonStatus, { body: { personId: second as PersonUid, status: 'danger', floorId: org.floorUid } })
  await call(toggleRefusal, { body: { person: second as PersonUid, floorId: org.floorUid } })
  await call(setFloorStatus, { body: { floorId: org.floors[2], floorStatusId: org.statusUids[1] } })

  const { event, buildings, floor_status, floors, without_floor } = await overview()

  expect(event).toMatchObject({ type: 'Fire' })
  expect(buildings.map(({ name, selected }) => [name, selected])).toEqual([
    ['Tower A', false],
    ['Tower B', false],
  ])
  expect(floor_status.map(({ name }) => name)).toEqual(['Not Started', 'Evacuating'])
  const [notStarted, evacuating] = org.statusUids
  expect(
    floors.map(({ building, name, status, stats, refusals }) => [
      building.name,
      name,
      status,
      ...Object.values(stats),
      refusals,
    ]),
  ).toEqual([
    ['Tower A', 'Ground', notStarted, 0, 1, 1, 2, 1],
    ['Tower A', 'Level 1', notStarted, 1, 0, 0, 1, 0],
    ['Tower A', 'Level 2', evacuating, 0, 0, 0, 0, 0],
    ['Tower B', 'Ground', notStarted, 0, 0, 0, 0, 0],
  ])
  expect(without_floor).toMatchObject([{ building: { name: 'Tower A' }, stats: { unknown: 1, total: 1 } }])
})

test('FES-01 AMB-116 one building can be chosen; one that is not in the event is unknown', async ({ server }) => {
  const { org, start } = await bothTowers(server)
  const { call, overview } = await start()
  const foreign = await server.given.organisation()

  const { buildings, floors } = await overview(org.otherBuildingUid)

  expect(buildings.find(({ selected }) => selected)?.name).toBe('Tower B')
  expect(floors.map(({ name, building }) => [building.name, name])).toEqual([['Tower B', 'Ground']])
  expect(await refused(call(getFloorOverview, { query: { building_id: foreign.buildingUid } }))).toEqual(['not_found'])
})

test('FES-06 without an event, and off duty, the answer says so', async ({ server }) => {
  const { warden, start } = await bothTowers(server)
  const call = await server.as(warden)

  expect(await call(getFloorOverview, { query: {} })).toMatchObject({ error: 'no_event' })
  await start()
  await server.db.updateTable('wardenSignIn').set({ onDuty: false }).where('personUid', '=', warden.personUid).execute()
  expect(await call(getFloorOverview, { query: {} })).toMatchObject({ error: 'not_on_duty' })
})

test('FES-02 API-46 the people of a floor, those with a PEEP first, everyone once over the pages', async ({
  server,
}) => {
  const { org, start } = await bothTowers(server)
  const people = await server.given.occupants(org, 50)
  const planned = people.filter((_, n) => n % 2 === 1)
  for (const id of planned) await server.given.peep(org, id)
  await server.given.occupant(org, { floorUid: org.floors[1] })
  const { call } = await start()
  const params = { floorId: org.floorUid as FloorUid }

  const pages = [await call(listFloorPeople, { params, query: {} })]
  for (let url = pages[0]?.pagination.next_page_url; url; url = pages.at(-1)?.pagination.next_page_url)
    pages.push(
      await call(listFloorPeople, { params, query: Object.fromEntries(new URLSearchParams(url.split('?')[1])) }),
    )

  const others = people.filter((id) => !planned.includes(id))
  expect(pages.flatMap(({ peeps }) => peeps.map(({ id }) => id))).toEqual([...planned, ...others])
  expect(pages.map(({ pagination }) => pagination.total)).toEqual([50, 50, 50])
  expect(pages[0]?.peeps[0]?.special).toMatchObject([{ name: 'assist', peep: { assistance: 'Evacuation chair' } }])
})

test('FES-02 T1 a floor that is not in the event is unknown', async ({ server }) => {
  const { start } = await bothTowers(server)
  const { call } = await start()
  const foreign = await server.given.organisation()

  expect(await refused(call(listFloorPeople, { params: { floorId: foreign.floorUid }, query: {} }))).toEqual([
    'not_found',
  ])
})

test('FES-08 the people of a building who are on none of its floors, those with a PEEP first, page by page', async ({
  server,
}) => {
  const { org, start } = await bothTowers(server)
  await server.given.occupant(org)
  const visitors: PersonUid[] = []
  for (let n = 0; n < 22; n++)
    visitors.push(await server.given.visitor(org, { floorUid: null, firstName: `V${String(n).padStart(2, '0')}` }))
  const last = visitors.pop() as PersonUid
  await server.given.peep(org, last)
  const { call, overview } = await start()
  const params = { buildingId: org.buildingUid as BuildingUid }

  const first = await call(listFloorlessPeople, { params, query: {} })
  const next = new URL(String(first.pagination.next_page_url), 'http://evac.test')
  const second = await call(listFloorlessPeople, { params, query: Object.fromEntries(next.searchParams) })

  expect(next.pathname).toBe(`/api/floor/evacuation/warden/building/${org.buildingUid}`)
  expect([...first.peeps, ...second.peeps].map(({ id }) => id)).toEqual([last, ...visitors])
  expect(first.peeps[0]).toMatchObject({ location: 'Tower A', floor: null, visitor: true })
  expect(first.pagination.total).toBe((await overview()).without_floor[0]?.stats.total)
})

test('FES-08 FES-04 a status of someone on no floor leaves them there; on a floor, they leave the list', async ({
  server,
}) => {
  const { org, start } = await bothTowers(server)
  const visitor = await server.given.visitor(org, { floorUid: null })
  const { call, eventUid } = await start()
  const list = async () =>
    (await call(listFloorlessPeople, { params: { buildingId: org.buildingUid as BuildingUid }, query: {} })).peeps

  await call(setStatusOnFloor, { body: { id: visitor, status: 'in danger', floor: null } })
  expect(await list()).toMatchObject([{ id: visitor, status: 'danger', floor: null }])
  expect(await server.evacueeOf(eventUid, visitor)).toMatchObject({ status: 'danger', floorUid: null })

  await call(setPersonStatus, { body: { personId: visitor, status: 'safe', floorId: org.floorUid } })
  expect(await list()).toEqual([])
})

test('FES-08 T1 a building that is not in the event is unknown, and one with no one off its floors has an empty list', async ({
  server,
}) => {
  const { org, start } = await bothTowers(server)
  const { call } = await start()
  const list = (buildingId: unknown) =>
    call(listFloorlessPeople, { params: { buildingId: buildingId as BuildingUid }, query: {} })
  const foreign = await server.given.organisation()

  expect(await refused(list(foreign.buildingUid), list(org.floorUid))).toEqual(['not_found', 'not_found'])
  expect(await list(org.otherBuildingUid)).toMatchObject({ peeps: [], pagination: { total: 0 } })
})

test('FES-03 API-47 a search from one character, in every building of the event', async ({ server }) => {
  const { org, start } = await bothTowers(server)
  await server.given.occupant(org, { firstName: 'Zoe' })
  await server.given.occupant(org, { firstName: 'Zack', floorUid: org.otherFloorUid })
  await server.given.visitor(org, { firstName: 'Zelda', floorUid: null })
  await server.given.occupant(org, { firstName: 'Bob' })
  const { call } = await start()
  const search = async (text: string) => named(await call(searchEventPeople, { params: { text }, query: {} }))

  expect(await search('z')).toEqual(['Zack', 'Zelda', 'Zoe'])
  expect(await search('zac')).toEqual(['Zack'])
  expect(await search('%')).toEqual([])
})

test('FES-04 API-48 a status from the warden-side view: the person is on that floor, or where they were', async ({
  server,
}) => {
  const { org, start } = await bothTowers(server)
  const person = await server.given.occupant(org)
  const { call, eventUid } = await start()
  const set = (floor: FloorUid | null, status: string) =>
    call(setStatusOnFloor, { body: { id: person, status, floor } })

  expect(await set(org.floors[1], 'in danger')).toMatchObject({ status: 'success', superseded: false })
  expect(await server.evacueeOf(eventUid, person)).toMatchObject({ status: 'danger', floorUid: org.floors[1] })
  await set(null, 'safe on floor')
  expect(await server.evacueeOf(eventUid, person)).toMatchObject({
    status: 'safe',
    onFloor: true,
    floorUid: org.floors[1],
  })
  const foreign = await server.given.organisation()
  expect(await refused(set(foreign.floorUid, 'safe'), set(org.floorUid, 'fine'))).toEqual([
    'not_found',
    'invalid_request',
  ])
})
