import { expect } from 'vitest'
import { reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import {
  changeBuilding,
  changeFloor,
  getFloorData,
  listOccupants,
  searchOccupants,
  setFloorStatus,
  setPersonStatus,
  toggleRefusal,
} from '../calls/evacuation.ts'

type Caller = Awaited<ReturnType<TestServer['as']>>

/** Every call of the floor screen but its opening one, each with input that would be answered on duty. */
const everyCall = (call: Caller, org: Organisation, person: Awaited<ReturnType<TestServer['given']['occupant']>>) =>
  refused(
    call(searchOccupants, { params: { text: 'a' } }),
    call(listOccupants, { query: {} }),
    call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } }),
    call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floorUid } }),
    call(toggleRefusal, { body: { person, floorId: org.floorUid } }),
    call(changeFloor, { body: { floor: org.floorUid } }),
    call(changeBuilding, { body: { building: org.buildingUid } }),
  )

async function wardenAndPerson(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org)
  return { org, warden, person, call: await server.as(warden) }
}

test('API-37 AUTH-05 without an event each call says so', async ({ server }) => {
  const { org, person, call } = await wardenAndPerson(server)

  expect(await call(getFloorData, {})).toEqual({ error: 'no_event', message: 'No Current Events' })
  expect(await everyCall(call, org, person)).toEqual(Array(7).fill('no_event'))
})

test('AUTH-05 an event in another building is none for this warden', async ({ server }) => {
  const { org, person, call } = await wardenAndPerson(server)
  await server.runningEvent(org, { buildings: [org.otherBuildingUid] })

  expect(await call(getFloorData, {})).toMatchObject({ error: 'no_event' })
  expect(await everyCall(call, org, person)).toEqual(Array(7).fill('no_event'))
})

test('AUTH-05 AMB-149 who is not on duty gets nothing: before reporting in, not available, off duty', async ({
  server,
}) => {
  const { org, warden, person, call } = await wardenAndPerson(server)
  const { eventUid } = await server.runningEvent(org)
  const answers = async (caller: Caller) => [await caller(getFloorData, {}), ...(await everyCall(caller, org, person))]
  const nothing = [
    { error: 'not_on_duty', message: 'You are not on duty in this event.' },
    ...Array(7).fill('not_on_duty'),
  ]

  expect(await answers(call)).toEqual(nothing)
  await call(reportNotAvailable, {})
  expect(await answers(call)).toEqual(nothing)
  await call(reportIn, {})
  expect(await everyCall(call, org, person)).toEqual(Array(7).fill('answered'))
  await call(logout, {})
  expect(await answers(await server.as(warden))).toEqual(nothing)

  expect(await server.evacueeOf(eventUid, person)).toMatchObject({ status: 'safe', refused: true })
})

test('T2 T5 the one statement that records a status lets in no one the guard would not', async ({ server }) => {
  const org = await server.given.organisation()
  const { warden, assignment } = server.given
  const [plain, onDuty] = [await warden(org, { modules: ['Module_My_Messages'] }), await warden(org)]
  const person = await server.given.occupant(org)
  const { eventUid } = await server.runningEvent(org)
  await server.onDuty(onDuty)
  const otherCard = { ...onDuty, assignmentUid: await assignment(onDuty, await server.given.site(org)) }
  const callers = [
    server.stranger,
    server.callWith('a-token-that-nobody-has-been-given'),
    await server.as(onDuty, { expiresAt: new Date(Date.now() - 1) }),
    await server.as(onDuty, { revokedAt: new Date() }),
    await server.onDuty(plain),
    await server.as(otherCard),
  ]

  const body = { personId: person, status: 'safe', floorId: org.floorUid }
  const codes = await refused(...callers.map((call) => call(setPersonStatus, { body })))

  const strangers = Array(4).fill('not_signed_in')
  expect(codes).toEqual([...strangers, 'forbidden', 'no_event'])
  expect(await server.evacueeOf(eventUid, person)).toMatchObject({ status: 'unknown' })
  expect(await server.journalOf(person)).toEqual([])
})

test('T2 a warden whose assignment ended while on duty is let in nowhere', async ({ server }) => {
  const { org, warden, person } = await wardenAndPerson(server)
  await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const withdrawn = server.db.updateTable('wardenAssignment').set({ status: 'Withdrawn' })
  await withdrawn.where('uid', '=', warden.assignmentUid).execute()

  expect(await everyCall(call, org, person)).toEqual(Array(7).fill('forbidden'))
  expect(await refused(call(getFloorData, {}))).toEqual(['forbidden'])
})
