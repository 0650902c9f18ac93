import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { getRole } from '#features/duty/calls/report-in.ts'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import type { BuildingUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import type { WardenOver } from '#server/testing/given-wardens.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import {
  changeBuilding,
  changeFloor,
  type FloorData,
  FloorData as FloorDataSchema,
  getFloorData,
  searchOccupants,
  setFloorStatus,
  setPersonStatus,
  toggleRefusal,
} from '../calls/evacuation.ts'

const bothTowers = (org: Organisation) => ({ buildings: [org.buildingUid, org.otherBuildingUid] })

async function inEvent(server: TestServer, over: WardenOver = {}) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, over)
  const running = await server.runningEvent(org, bothTowers(org))
  const call = await server.onDuty(warden)
  return { org, warden, ...running, call, data: async () => (await call(getFloorData, {})) as FloorData }
}

test('UX-30 ROLE-07 a connection keeps one plan for a floor and a role, however many phones ask', async ({
  server,
}) => {
  const { call } = await inEvent(server)
  for (let n = 0; n < 3; n++) {
    await call(getFloorData, { query: { order: 'attention' } })
    await call(getRole, {})
  }
  // the pool gives out the connection that was returned last
  const { rows } = await sql<{ name: string; anew: number }>`
    select name, custom_plans::int as anew from pg_prepared_statements order by name`.execute(server.database.tenant.db)

  const names = ['attention_all_people_start', 'find_report', 'find_tally', 'floor_peeps']
  expect(rows.filter(({ name }) => names.includes(name))).toEqual(names.map((name) => ({ name, anew: 0 })))
})

test('API-36 FLOOR-37 FLOOR-39 FLOOR-46 what the floor screen opens with', async ({ server }) => {
  const { org, eventUid, data } = await inEvent(server)

  const { persons, peep, pagination, ...screen } = await data()

  const [notStarted, evacuating] = org.statusUids
  const tower = { id: org.buildingUid, buildingId: org.buildingUid, name: 'Tower A' }
  expect(screen.floors.slice(0, 3)).toEqual(
    ['Ground', 'Level 1', 'Level 2'].map((name, i) => ({
      id: org.floors[i],
      name,
      status: notStarted,
      building: tower,
    })),
  )
  expect(screen.floor_status).toEqual([
    {
      id: notStarted,
      name: 'Not Started',
      label: { colour: 'grey', display_order: 1, inuse: true },
      means_clear: false,
    },
    {
      id: evacuating,
      name: 'Evacuating',
      label: { colour: 'yellow', display_order: 2, inuse: true },
      means_clear: false,
    },
  ])
  expect(screen.pwdmi_statuses).toEqual([
    { value: 'safe on floor', label: 'Safe on floor' },
    { value: 'unknown', label: 'Unknown' },
    { value: 'in danger', label: 'Danger on floor' },
  ])
  expect(screen.event).toEqual({ id: eventUid, type: 'Fire', description: 'Fire or smoke' })
  expect(screen.input).toEqual({ building: org.buildingUid, floor: org.floorUid, status: notStarted })
  expect(screen).toMatchObject({ sms_allowed: true, refusal_to_evacuate: 0 })
  expect([persons, peep, pagination.total]).toEqual([[], [], 0])
})

test('API-36 FLOOR-40 FLOOR-42 FLOOR-44 an occupant with a PEEP, as card and in the PEEP list', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org, { firstName: 'Ada', lastName: 'Byron', mobile: '61470000001' })
  await server.given.peep(org, person)
  const { eventUid } = await server.runningEvent(org)

  const data = await (await server.onDuty(warden))(getFloorData, {})

  const peep = { disability: 'Uses a wheelchair', assistance: 'Evacuation chair', other: 'Two helpers' }
  const card = {
    id: person,
    evacuee_list_uid: (await server.evacueeOf(eventUid, person))?.uid,
    name: 'Ada Byron',
    location: 'Tower A - Ground',
    floor: org.floorUid,
    phone: '61470000001',
    status: 'unknown',
    on_floor: false,
    reported: false,
    visitor: false,
    special: [{ name: 'assist', state: true, detail: 'Wheelchair', peep }],
    message: { unread: false, noreply: false },
  }
  expect(data).toMatchObject({
    persons: [card],
    peep: [{ id: person, name: 'Ada Byron', status: 'unknown', on_floor: false, ...peep }],
  })
})

test('API-36 AMB-101 floors stand by level, those of one level by name', async ({ server }) => {
  const org = await server.given.organisation()
  const wings = ['West', 'East', 'South', 'North', 'Centre', 'Annex']
  for (const [at, wing] of wings.entries()) await server.given.floor(org, wing, 10 + at)
  await server.db.updateTable('floor').set({ level: 1 }).where('name', 'in', wings).execute()
  const warden = await server.given.warden(org)
  await server.runningEvent(org)

  const { floors } = (await (await server.onDuty(warden))(getFloorData, {})) as FloorData

  const levelOne = [...wings, 'Level 1'].toSorted()
  expect(floors.map(({ name }) => name)).toEqual(['Ground', ...levelOne, 'Level 2'])
})

test('AMB-107 it opens on the own floor, on the own building, or on the first floor', async ({ server }) => {
  const org = await server.given.organisation()
  const { warden } = server.given
  const upper = await warden(org, { floorUid: org.floors[2] })
  const ofB = await warden(org, {
    role: 'Building Warden',
    buildingUid: org.otherBuildingUid,
    modules: ['Module_Floor_Evacuation'],
  })
  const deputy = await warden(org, { role: 'Chief Warden' })
  await server.runningEvent(org, bothTowers(org))

  const inputs = []
  for (const who of [upper, ofB, deputy])
    inputs.push(((await (await server.onDuty(who))(getFloorData, {})) as FloorData).input)

  expect(inputs).toMatchObject([
    { building: org.buildingUid, floor: org.floors[2] },
    { building: org.otherBuildingUid, floor: org.otherFloorUid },
    { building: org.buildingUid, floor: org.floors[0] },
  ])
})

test('FLOOR-30 API-44 AMB-107 a chosen floor is answered, and remembered by this session only', async ({ server }) => {
  const org = await server.given.organisation()
  const level1 = org.floors[1]
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org, { floorUid: level1 })
  await server.given.peep(org, person)
  await server.runningEvent(org)
  const call = await server.onDuty(warden)
  await call(setFloorStatus, { body: { floorId: level1, floorStatusId: org.statusUids[1] } })
  await call(toggleRefusal, { body: { person, floorId: level1 } })

  const answer = await call(changeFloor, { body: { floor: level1 } })

  expect(answer).toMatchObject({ peep: [{ id: person }], status: org.statusUids[1], refusal_to_evacuate: 1 })
  expect(await call(getFloorData, {})).toMatchObject({ input: { floor: level1 }, refusal_to_evacuate: 1 })
  expect(await (await server.as(warden))(getFloorData, {})).toMatchObject({ input: { floor: org.floorUid } })
})

test('AMB-107 a page of two reads the floor it shows, and searches its building, whatever the other has chosen since', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  await server.given.occupant(org, { floorUid: org.floorUid })
  await server.runningEvent(org, bothTowers(org))
  const call = await server.onDuty(warden)
  await call(changeBuilding, { body: { building: org.otherBuildingUid } })

  const shown = await call(getFloorData, { query: { floor: org.floorUid } })
  const found = await call(searchOccupants, { params: { text: 'occupant' }, query: { floor: org.floorUid } })

  expect(shown).toMatchObject({ input: { building: org.buildingUid, floor: org.floorUid } })
  expect(found.persons.length).toBeGreaterThan(0)
  expect(await call(getFloorData, {})).toMatchObject({ input: { building: org.otherBuildingUid } })
})

test('FLOOR-31 API-45 a chosen building is answered whole, at its first floor, and remembered', async ({ server }) => {
  const { org, call, data } = await inEvent(server)

  const answer = await call(changeBuilding, { body: { building: org.otherBuildingUid } })

  expect(answer).toMatchObject({
    input: { building: org.otherBuildingUid, floor: org.otherFloorUid },
    pagination: { total: 0 },
  })
  expect(await data()).toEqual(answer)
  expect(answer.buildings).toHaveLength(2)
})

test('AMB-107 a chosen building that left the event is forgotten: back to the own floor', async ({ server }) => {
  const { org, call, manager, data } = await inEvent(server)
  await call(changeBuilding, { body: { building: org.otherBuildingUid } })

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  expect((await data()).input).toMatchObject({ building: org.buildingUid, floor: org.floorUid })
  expect((await data()).buildings).toHaveLength(1)
})

test('AMB-111 a status that went out of use stays in the list while a floor has it', async ({ server }) => {
  const { org, call, data } = await inEvent(server)
  const [, evacuating] = org.statusUids
  await call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: evacuating } })
  await server.db.updateTable('floorStatus').set({ inUse: false }).where('uid', '=', evacuating).execute()

  const { floor_status, input } = await data()

  expect(input.status).toBe(evacuating)
  expect(floor_status.map(({ id, label }) => [id, label.inuse])).toEqual([
    [org.statusUids[0], true],
    [evacuating, false],
  ])
})

test('FLOOR-37 the next event shows each floor once, from its first status on', async ({ server }) => {
  const { org, call, manager, warden } = await inEvent(server)
  await call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } })
  await manager(endEvent, endInput(org, bothTowers(org)))

  await manager(createEvent, startInput(org))
  const data = (await (await server.onDuty(warden))(getFloorData, {})) as FloorData

  expect(data.floors.map(({ id, status }) => [id, status])).toEqual(org.floors.map((id) => [id, org.statusUids[0]]))
})

test('FLOOR-44 the PEEP list has those who are on the floor now, and follows their status', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { occupant, peep } = server.given
  const [here, gone, cured] = [await occupant(org), await occupant(org), await occupant(org)]
  for (const person of [here, gone, cured]) await peep(org, person)
  await server.db.updateTable('peep').set({ active: false }).where('personUid', '=', cured).execute()
  await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const on = (personId: PersonUid, floorId: FloorUid) => ({ body: { personId, floorId, status: 'safe on floor' } })

  await call(setPersonStatus, on(here, org.floorUid))
  await call(setPersonStatus, on(gone, org.floors[1]))

  expect(await call(getFloorData, {})).toMatchObject({ peep: [{ id: here, status: 'safe' }] })
  expect(await call(changeFloor, { body: { floor: org.floors[1] } })).toMatchObject({
    peep: [{ id: gone }],
  })
})

test('T2 floors and buildings outside the event, foreign or unknown, are 404 and choose nothing', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const other = await server.given.organisation()
  await server.runningEvent(other)
  const warden = await server.given.warden(org)
  await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const floors = [org.otherFloorUid, other.floorUid, unknown as FloorUid]
  const buildings = [org.otherBuildingUid, other.buildingUid, unknown as BuildingUid]

  const codes = await refused(
    ...floors.map((floor) => call(changeFloor, { body: { floor } })),
    ...buildings.map((building) => call(changeBuilding, { body: { building } })),
  )

  expect(codes).toEqual(Array(6).fill('not_found'))
  expect(await call(getFloorData, {})).toMatchObject({ input: { floor: org.floorUid } })
})

test('API-36 a floor that was built during the event, and a building without floors, break nothing', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const bare = await server.given.building(org, { name: 'Annex', floorNames: [] })
  const warden = await server.given.warden(org)
  await server.runningEvent(org, { buildings: [org.buildingUid, bare.buildingUid] })
  const call = await server.onDuty(warden)
  await server.given.floor(org, 'Roof', 9)

  const data = (await call(getFloorData, {})) as FloorData
  const annex = await call(changeBuilding, { body: { building: bare.buildingUid } })

  for (const answer of [data, annex]) expect([...Value.Errors(FloorDataSchema, answer)]).toEqual([])
  expect(data.buildings.map(({ name }) => name)).toEqual(['Annex', 'Tower A'])
  expect(annex).toMatchObject({ input: { building: bare.buildingUid, floor: null, status: null }, persons: [] })
})

test('UX-82 buildings and floors are listed as people count', async ({ server }) => {
  const org = await server.given.organisation()
  const counted = ['10', '2', '1'].map((n) => `Building ${n}`)
  const built = []
  for (const name of counted)
    built.push(await server.given.building(org, { name, floorNames: ['Level 10', 'Level 9'] }))
  await server.db.updateTable('floor').set({ level: 0 }).where('clientUid', '=', org.clientUid).execute()
  const { manager } = await server.runningEvent(org, { buildings: built.map(({ buildingUid }) => buildingUid) })

  const { buildings, floors } = (await manager(getFloorData, {})) as FloorData

  expect(buildings.map(({ name }) => name)).toEqual(['Building 1', 'Building 2', 'Building 10'])
  expect(floors.slice(0, 2).map(({ name }) => name)).toEqual(['Level 9', 'Level 10'])
})
