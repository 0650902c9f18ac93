import { expect } from 'vitest'
import { listReportInCards, markOnDuty, reportIn } from '#features/duty/calls/report-in.ts'
import { getFloorData, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { getChannels } from '#features/live-updates/calls/realtime.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { createEvent, endEvent, listEventSites } from '../calls/events.ts'

/** To the database the last day of the assignment is over, as after midnight. */
const lastDayEnds = ({ db }: TestServer, { assignmentUid }: Warden) =>
  db.updateTable('wardenAssignment').set({ dateTo: '2020-12-31' }).where('uid', '=', assignmentUid).execute()

test('AMB-043 AMB-067 a warden on duty whose last day ends goes on as before, also from another phone', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const [warden, person] = [await server.given.warden(org), await server.given.occupant(org)]
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)

  await lastDayEnds(server, warden)

  const safe = { personId: person, status: 'safe', floorId: org.floorUid }
  expect(await call(setPersonStatus, { body: safe })).toMatchObject({ status: 'success' })
  expect(await call(getFloorData, {})).toMatchObject({ persons: [{ id: person, status: 'safe' }] })
  expect((await call(getChannels, {})).channels).toContain(`event:${eventUid}`)
  const auth = await server.signIn(warden.email)
  expect(auth).toMatchObject({ on_duty: true, module_access: { Module_Floor_Evacuation: true } })
  const phone = server.callWith(auth.access_token)
  expect(await phone(listReportInCards, { query: { signInMethod: 'Email' } })).toMatchObject([
    { Header: 'Event In Progress', Button1_Label: 'Rejoin Event', Button1_Display: 'Enabled' },
  ])
  const own = { Warden_Sign_In_UID: auth.WardenSignInUID as NonNullable<typeof auth.WardenSignInUID> }
  expect(await phone(markOnDuty, { body: own })).toMatchObject({ status: 'On Duty' })
})

test('AMB-043 AMB-084 an event manager on duty whose last day ends extends and ends the event, and then no more', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { chief, manager } = await server.runningEvent(org)

  await lastDayEnds(server, chief)

  expect(await manager(logout, {})).toMatchObject({ status: 'cannot_logout' })
  const towerB = { buildings: [org.otherBuildingUid] }
  expect(await manager(createEvent, startInput(org, towerB))).toMatchObject({ status: 'event_created' })
  const both = { buildings: [org.buildingUid, org.otherBuildingUid] }
  expect(await manager(endEvent, endInput(org, both))).toMatchObject({ status: 'event_ended', scope: 'event' })
  expect(await refused(manager(listEventSites, {}), manager(createEvent, startInput(org)))).toEqual([
    'forbidden',
    'forbidden',
  ])
  expect(await refused(server.signIn(chief.email))).toEqual(['unauthorized_access'])
})

test('AMB-043 AMB-023 who is not on duty when the last day ends, or leaves later, is a warden no longer', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const [early, late] = [await server.given.warden(org), await server.given.warden(org)]
  await server.runningEvent(org)
  const [earlyCall, lateCall] = [await server.onDuty(early), await server.as(late)]
  for (const warden of [early, late]) await lastDayEnds(server, warden)

  await earlyCall(logout, {})

  expect(await lateCall(reportIn, {})).toMatchObject({ error: 'assignment_not_current' })
  expect(await refused(lateCall(getFloorData, {}))).toEqual(['forbidden'])
  expect(await refused(server.signIn(early.email), server.signIn(late.email))).toEqual([
    'unauthorized_access',
    'unauthorized_access',
  ])
})
