import { expect } from 'vitest'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { getFloorData, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import type { SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { endEvent } from '../calls/events.ts'

/** An event in both towers with a warden and an occupant in each, both wardens on duty. */
async function eventInBoth(server: TestServer) {
  const org = await server.given.organisation()
  const [ofA, ofB] = [await server.given.warden(org), await server.given.warden(org, { floorUid: org.otherFloorUid })]
  const [inA, inB] = [
    await server.given.occupant(org),
    await server.given.occupant(org, { floorUid: org.otherFloorUid }),
  ]
  const both = { buildings: [org.buildingUid, org.otherBuildingUid] }
  const { eventUid, manager, chief } = await server.runningEvent(org, both)
  const [callA, callB] = [await server.onDuty(ofA), await server.onDuty(ofB)]
  const removeB = () => manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  return { org, ofA, ofB, inA, inB, eventUid, manager, chief, callA, callB, removeB }
}

test('EVENT-23 EVENT-62 AMB-092 taking out some buildings leaves the event active', async ({ server }) => {
  const { org, eventUid, removeB } = await eventInBoth(server)

  const answer = await removeB()

  expect(answer).toEqual({
    status: 'event_ended',
    scope: 'buildings',
    remaining: 1,
    message: 'The building(s) have been removed from the event. Affected Wardens be signed out.',
  })
  const event = server.db.selectFrom('event').selectAll().where('uid', '=', eventUid)
  expect(await event.executeTakeFirst()).toMatchObject({ endedAt: null, endedByPersonUid: null })
  const buildings = server.db.selectFrom('eventBuilding').selectAll().where('eventUid', '=', eventUid)
  expect(await buildings.where('buildingUid', '=', org.otherBuildingUid).executeTakeFirst()).toMatchObject({
    active: false,
    removedAt: expect.any(Date),
  })
})

test('EVENT-61 its evacuees leave lists and counts, its wardens are signed out of the event, site wardens stay', async ({
  server,
}) => {
  const { ofA, ofB, inA, inB, eventUid, chief, removeB, callB } = await eventInBoth(server)

  await removeB()

  expect(await server.evacueeOf(eventUid, inB)).toMatchObject({ active: false, removedAt: expect.any(Date) })
  expect(await server.evacueeOf(eventUid, inA)).toMatchObject({ active: true })
  expect(await server.signInOf(eventUid, ofB)).toMatchObject({
    onDuty: false,
    closedAt: expect.any(Date),
    offDutyAt: expect.any(Date),
  })
  for (const stays of [ofA, chief])
    expect(await server.signInOf(eventUid, stays)).toMatchObject({ onDuty: true, closedAt: null })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  expect(await callB(getFloorData, {})).toMatchObject({ error: 'no_event' })
  expect(await callB(reportIn, {})).toMatchObject({ error: 'no_current_event' })
})

test('EVENT-54 EVENT-61 each warden who is signed out stands in the journal, and no one else', async ({ server }) => {
  const { ofA, ofB, eventUid, removeB } = await eventInBoth(server)
  const [signInA, signInB] = [await server.signInOf(eventUid, ofA), await server.signInOf(eventUid, ofB)]

  await removeB()

  expect((await server.journalOf(signInB?.uid as string)).at(-1)).toMatchObject({ action: 'warden_removed' })
  expect((await server.journalOf(signInA?.uid as string)).at(-1)).toMatchObject({ action: 'warden_reported_in' })
  expect((await server.journalOf(eventUid)).at(-1)).toMatchObject({ action: 'buildings_removed' })
})

test('EVENT-61 a person of a remaining building who was seen in the removed one goes home, as they were', async ({
  server,
}) => {
  const { org, inA, inB, eventUid, removeB, callA } = await eventInBoth(server)
  await callA(setPersonStatus, { body: { personId: inA, status: 'in danger', floorId: org.otherFloorUid } })
  await callA(setPersonStatus, { body: { personId: inB, status: 'safe on floor', floorId: org.floorUid } })

  await removeB()

  const home = { buildingUid: org.buildingUid, floorUid: org.floorUid, active: true }
  expect(await server.evacueeOf(eventUid, inA)).toMatchObject({ ...home, status: 'danger' })
  expect(await server.evacueeOf(eventUid, inB)).toMatchObject({ ...home, status: 'safe', onFloor: true })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('EVENT-61 a visitor without a floor goes home to their building', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const visitor = await server.given.visitor(org, { floorUid: null })
  const { eventUid, manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const call = await server.onDuty(warden)
  await call(setPersonStatus, { body: { personId: visitor, status: 'danger', floorId: org.otherFloorUid } })

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  expect(await server.evacueeOf(eventUid, visitor)).toMatchObject({
    active: true,
    status: 'danger',
    buildingUid: org.buildingUid,
    floorUid: null,
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('RT-25 a report-in-link session ends with its building, another session stays', async ({ server }) => {
  const { ofB, eventUid, removeB, callB } = await eventInBoth(server)
  const signIn = await server.signInOf(eventUid, ofB)
  const link = await server.as(ofB, { signInUid: signIn?.uid as SignInUid })

  await removeB()

  await expect(link(getProfile, {})).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
  await expect(callB(getProfile, {})).resolves.toBeDefined()
})

test('EVENT-23 AMB-092 what is not in the event is told as a message with 200, and changes nothing', async ({
  server,
}) => {
  const { org, eventUid, manager, removeB } = await eventInBoth(server)
  await removeB()
  const before = await server.journalOf(eventUid)

  const answer = await removeB()

  expect(answer).toEqual({ message: 'The building(s) are not part of the current event.' })
  expect(await server.journalOf(eventUid)).toEqual(before)
  const rest = await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  expect(rest).toMatchObject({ status: 'event_ended', scope: 'event', remaining: 0 })
})
