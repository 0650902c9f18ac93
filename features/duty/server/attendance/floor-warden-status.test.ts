import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { type Board, getBoard } from '#features/board/calls/board.ts'
import { getFloorCoverage } from '#features/coverage/calls/coverage.ts'
import { endEvent } from '#features/events/calls/events.ts'
import type { BuildingUid, SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { BuildingStatus as BuildingStatusSchema, chooseBuilding, getBuildingStatus } from '../../calls/attendance.ts'
import { alsoOn, attendanceGiven, groupsOf, statusOf, towersOf } from './wardens-on-duty.fixture.ts'

test('API-33 AMB-149 without an event, and off duty, there is a status and a message and nothing else', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const chief = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))

  const before = await chief(getBuildingStatus, {})
  await server.runningEvent(org)

  expect(before).toEqual({ status: 'no_event', message: 'NO EVENT' })
  expect(await chief(getBuildingStatus, {})).toEqual({
    status: 'not_on_duty',
    message: 'You are not on duty in this event.',
  })
})

test('FWS-10 FWS-15 FWS-18 AMB-101 a floor has its wardens by status and name, its counts and its colour', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  await warden('Zoe', 'on_duty')
  await warden('Off', 'off_duty')
  await warden('Nora', 'not_available')
  await warden('Uma', 'unknown')
  await warden('adam', 'on_duty')
  const { manager } = await start()

  const { floors } = (await statusOf(manager)).selected_building

  const ground = floors.find(({ id }) => id === org.floorUid)
  expect(ground).toMatchObject({
    name: 'Ground',
    colour: 'green',
    status: 'Covered',
    wardens_count: 5,
    wardens_on_duty_count: 2,
    wardens_unknown_count: 1,
    wardens_not_available_count: 2,
  })
  expect(ground?.wardens.map(({ name, status }) => [name.split(' ')[0], status])).toEqual([
    ['adam', 'On Duty'],
    ['Zoe', 'On Duty'],
    ['Uma', 'Unknown'],
    ['Nora', 'Not Available'],
    ['Off', 'Off Duty'],
  ])
})

test('FWS-05 AMB-101 the status of a floor says whether a warden is on duty there; floors stand by level', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  const [ground, level1, level2] = org.floors
  await server.given.floor(org, 'Basement', -1)
  await warden('A', 'unknown', { floorUid: ground })
  await warden('B', 'not_available', { floorUid: ground })
  await warden('C', 'off_duty', { floorUid: level1 })
  await warden('D', 'on_duty', { floorUid: level2 })
  const { manager } = await start()

  const { floors } = (await statusOf(manager)).selected_building

  expect(floors.map(({ name, status, colour }) => [name, status, colour])).toEqual([
    ['Tower A (whole building)', 'Covered', 'green'],
    ['Basement', 'No Floor Wardens', 'grey'],
    ['Ground', 'Unknown', 'yellow'],
    ['Level 1', 'Not Covered', 'red'],
    ['Level 2', 'Covered', 'green'],
  ])
})

test('FWS-15 FWS-20 AMB-101 site and building wardens stand first, a warden of two floors on both, and counts once', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  await warden('Bea', 'unknown', { role: 'Building Warden' })
  await warden('Bob', 'unknown', { role: 'Building Warden', buildingUid: org.otherBuildingUid })
  await alsoOn(server, await warden('Two', 'on_duty'), org.floors[1])
  await alsoOn(server, await warden('Both', 'not_available'), org.otherFloorUid)
  const { manager, chief } = await start()

  const answer = await statusOf(manager)
  const inB = await manager(chooseBuilding, { body: { buildingId: org.otherBuildingUid } })

  expect(groupsOf(answer)).toEqual({
    'Tower A (whole building)': ['Chief', 'Bea'],
    Ground: ['Two', 'Both'],
    'Level 1': ['Two'],
    'Level 2': [],
  })
  expect(answer.selected_building.floors[0]?.id).toBe(org.buildingUid)
  const counts = { on_duty: 2, unknown: 1, not_available: 1, off_duty: 0 }
  expect(answer.selected_building.wardens).toEqual({ total: 4, ...counts })
  const inTowerB = { on_duty: 1, unknown: 1, not_available: 1, off_duty: 0 }
  expect(answer.buildings.map(({ name, total }) => [name, total])).toEqual([
    ['Tower A', counts],
    ['Tower B', inTowerB],
  ])
  expect(inB.selected_building.wardens).toEqual({ total: 3, ...inTowerB })
  expect(groupsOf(inB)).toEqual({ 'Tower B (whole building)': ['Chief', 'Bob'], Ground: ['Both'] })
  expect(answer.warden_id).toBe(chief.assignmentUid)
})

test('FWS-16 FWS-17 FWS-18 FWS-19 API-32 AMB-104 what the screen opens with', async ({ server }) => {
  const { org, warden, start } = await attendanceGiven(server)
  const floorWarden = await warden('Fay', 'unknown', { mobile: '61491000004' })
  const { manager, eventUid, chief, signInUid } = await start()

  const answer = await statusOf(manager)

  expect([...Value.Errors(BuildingStatusSchema, answer)]).toEqual([])
  expect(answer.buildings.map(({ id, name, selected }) => ({ id, name, selected }))).toEqual([
    { id: org.buildingUid, name: 'Tower A', selected: true },
    { id: org.otherBuildingUid, name: 'Tower B', selected: false },
  ])
  expect(answer.selected_building).toMatchObject({
    id: org.buildingUid,
    name: 'Tower A',
    event: { id: eventUid, type: 'Fire', description: 'Fire or smoke' },
    wardens: { total: 2, on_duty: 1, unknown: 1, not_available: 0, off_duty: 0 },
  })
  expect(answer.selected_building.floors[1]?.wardens).toEqual([
    {
      id: floorWarden.assignmentUid,
      name: expect.stringMatching(/^Fay \d+$/),
      phone: '61491000004',
      status: 'Unknown',
      role: 'Floor Warden',
      areas: [{ id: org.floorUid, name: 'Tower A - Ground' }],
      unread: false,
      wardenSignInUid: (await server.signInOf(eventUid, floorWarden))?.uid,
    },
  ])
  expect(answer).toMatchObject({
    warden_id: chief.assignmentUid,
    sms_allowed: true,
    senderWardenSignInUid: signInUid,
  })
})

test('AMB-100 it opens on the building of the own area, else on the first by name', async ({ server }) => {
  const { org, warden, start } = await attendanceGiven(server)
  const modules = ['Module_Floor_Warden_Status'] as const
  const ofB = await warden('B', 'on_duty', { floorUid: org.otherFloorUid, modules })
  const deputy = await warden('D', 'on_duty', { role: 'Chief Warden' })
  await start()

  const selected = []
  for (const who of [ofB, deputy]) selected.push((await statusOf(await server.as(who))).selected_building.id)

  expect(selected).toEqual([org.otherBuildingUid, org.buildingUid])
})

test('FWS-11 API-34 AMB-107 a chosen building is answered, and remembered by this session until it leaves the event', async ({
  server,
}) => {
  const { org, start } = await attendanceGiven(server)
  const { manager, chief } = await start()
  const { b } = towersOf(org)

  const answer = await manager(chooseBuilding, { body: { buildingId: b } })

  expect(answer.selected_building).toMatchObject({ id: b, name: 'Tower B', wardens: { total: 1 } })
  expect((await statusOf(manager)).selected_building).toEqual(answer.selected_building)
  expect((await statusOf(await server.as(chief))).selected_building.name).toBe('Tower A')
  await manager(endEvent, endInput(org, { buildings: [b] }))
  expect((await statusOf(manager)).buildings.map(({ name, selected }) => [name, selected])).toEqual([['Tower A', true]])
})

test('T2 AMB-100 a building outside the event, of another organisation or unknown is 404 and chooses nothing', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const other = await server.given.organisation()
  await server.runningEvent(other)
  const { manager } = await server.runningEvent(org)
  const unknown = '00000000-0000-4000-8000-000000000000' as BuildingUid

  const codes = await refused(
    ...[org.otherBuildingUid, other.buildingUid, unknown].map((buildingId) =>
      manager(chooseBuilding, { body: { buildingId } }),
    ),
  )

  expect(codes).toEqual(['not_found', 'not_found', 'not_found'])
  expect((await statusOf(manager)).selected_building.id).toBe(org.buildingUid)
})

test('FWS-15 wardens of other events, of ended appointments and of removed buildings are not listed', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  const elsewhere = await server.given.site(org)
  await warden('Stays', 'on_duty')
  await warden('Leaves', 'on_duty', { floorUid: org.otherFloorUid })
  await warden('Lapsed', 'unknown', { dateTo: '2020-12-31' })
  await warden('Withdrawn', 'unknown', { status: 'Withdrawn' })
  const foreign = await server.given.organisation()
  await server.given.warden(foreign, { firstName: 'Foreign' })
  await server.runningEvent(foreign)
  await server.given.warden(elsewhere, { firstName: 'Elsewhere' })
  const { manager } = await start()

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  const answer = await statusOf(manager)

  expect(groupsOf(answer)).toEqual({
    'Tower A (whole building)': ['Chief'],
    Ground: ['Stays'],
    'Level 1': [],
    'Level 2': [],
  })
  expect(answer.buildings).toHaveLength(1)
})

test('UX-43 all floors of the event without a warden on duty, by building and level, and who has not reported in', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  const [ground, level1, level2] = org.floors
  await server.given.floor(org, 'Basement', -1)
  await warden('Whole', 'on_duty', { role: 'Building Warden' })
  await warden('On', 'on_duty', { floorUid: ground })
  await warden('Uma', 'unknown', { floorUid: ground })
  const zoe = await warden('Zoe', 'off_duty', { floorUid: level1 })
  const both = await alsoOn(server, await warden('adam', 'unknown', { floorUid: level1 }), org.otherFloorUid)
  await warden('Nora', 'not_available', { floorUid: level2 })
  const { manager, eventUid } = await start()
  const named = async (one: Warden, name: string) => ({
    wardenSignInUid: (await server.signInOf(eventUid, one))?.uid,
    name: expect.stringContaining(name),
  })
  const [adam, away] = [await named(both, 'adam'), await named(zoe, 'Zoe')]

  const { gaps } = await statusOf(manager)

  const a = { id: org.buildingUid, name: 'Tower A' }
  const b = { id: org.otherBuildingUid, name: 'Tower B' }
  const none = { colour: 'grey', status: 'No Floor Wardens', not_reported_in: [] }
  expect(gaps).toEqual([
    { id: expect.any(String), name: 'Basement', building: a, ...none },
    { id: level1, name: 'Level 1', building: a, colour: 'yellow', status: 'Unknown', not_reported_in: [adam, away] },
    { id: level2, name: 'Level 2', building: a, colour: 'red', status: 'Not Covered', not_reported_in: [] },
    {
      id: org.otherFloorUid,
      name: 'Ground',
      building: b,
      colour: 'yellow',
      status: 'Unknown',
      not_reported_in: [adam],
    },
  ])
})

test('UX-43 EVENT-61 no gaps: floors of a building that left the event or is of others; nor are wardens who left asked', async ({
  server,
}) => {
  await server.runningEvent(await server.given.organisation())
  const { org, warden, start } = await attendanceGiven(server)
  const gone = await warden('Gone', 'unknown', { floorUid: org.floors[1] })
  await warden('Else', 'not_available', { floorUid: org.floors[0] })
  const { manager, eventUid } = await start()
  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  const leaves = server.db.updateTable('wardenSignIn').set({ closedAt: new Date() })
  await leaves.where('uid', '=', (await server.signInOf(eventUid, gone))?.uid as SignInUid).execute()

  const { gaps } = await statusOf(manager)

  expect(gaps.map(({ id }) => id)).toEqual(org.floors)
  expect(gaps.flatMap(({ not_reported_in }) => not_reported_in)).toEqual([])
})

test('UX-43 COV-02 COV-04 one number and one rule on all pages: a floor that a warden of the building covers is no gap', async ({
  server,
}) => {
  const { org, warden, start } = await attendanceGiven(server)
  await warden('Fay', 'unknown', { floorUid: org.floors[1] })
  const watcher = await warden('Wim', 'on_duty', {
    floorUid: org.floors[0],
    modules: ['Module_Floor_Warden_Status', 'Module_Floor_Evacuation', 'Module_Building_Evacuation_Status'],
  })
  const { signInUid } = await start()
  const wim = await server.as(watcher)
  const seen = async () => {
    const [{ gaps }, coverage] = [await statusOf(wim), await wim(getFloorCoverage, {})]
    expect(gaps).toHaveLength(coverage.gaps.length)
    // readers share a board for up to a second
    const noWarden = async () => ((await wim(getBoard, { query: {} })) as Board).totals.no_warden
    await expect.poll(noWarden, { timeout: 5_000 }).toBe(gaps.length)
    return gaps.map(({ name, building }) => `${building.name}: ${name}`)
  }
  const inTowerB = async () =>
    (await wim(chooseBuilding, { body: { buildingId: org.otherBuildingUid } })).selected_building.floors

  expect(await seen()).toEqual(['Tower A: Level 1', 'Tower A: Level 2'])
  expect(await inTowerB()).toMatchObject([
    { id: org.otherBuildingUid, covered_by: null },
    { name: 'Ground', status: 'No Floor Wardens', covered_by: expect.stringContaining('Chief') },
  ])

  const leaves = server.db.updateTable('wardenSignIn').set({ onDuty: false, offDutyAt: new Date() })
  await leaves.where('uid', '=', signInUid).execute()

  expect(await seen()).toEqual(['Tower A: Level 1', 'Tower A: Level 2', 'Tower B: Tower B (whole building)'])
  expect(await inTowerB()).toMatchObject([
    { id: org.otherBuildingUid, status: 'Not Covered' },
    { name: 'Ground', status: 'No Floor Wardens', covered_by: null },
  ])
})
