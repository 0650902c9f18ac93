import { expect } from 'vitest'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { getFloorData, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { getProfile, logout } from '#features/sign-in/calls/sign-in.ts'
import type { EventUid, SignInUid } from '#kernel/ids.ts'
import { asAdmin, openTestDatabase } from '#server/testing/database.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { createEvent, endEvent, listEventSites, listUnaccounted } from '../calls/events.ts'

async function eventWithWarden(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org)
  const running = await server.runningEvent(org)
  return { org, warden, person, ...running, call: await server.onDuty(warden) }
}

test('EVENT-24 EVENT-44 with its last building the event ends, and the database says by whom', async ({ server }) => {
  const { org, eventUid, manager, chief, signInUid } = await eventWithWarden(server)

  const answer = await manager(endEvent, endInput(org))

  expect(answer).toEqual({
    status: 'event_ended',
    scope: 'event',
    remaining: 0,
    message: 'The Event has been concluded. All Wardens will be signed out.',
  })
  const event = server.db.selectFrom('event').selectAll().where('uid', '=', eventUid)
  expect(await event.executeTakeFirst()).toMatchObject({
    endedAt: expect.any(Date),
    endedByPersonUid: chief.personUid,
    endedBySignInUid: signInUid,
  })
  const active = server.db.selectFrom('eventBuilding').selectAll().where('eventUid', '=', eventUid)
  expect(await active.where('active', '=', true).execute()).toEqual([])
  expect((await server.journalOf(eventUid)).at(-1)).toMatchObject({
    action: 'event_ended',
    actorPersonUid: chief.personUid,
    actorSignInUid: signInUid,
  })
})

test('EVENT-25 AMB-078 all wardens are off duty and see no more of it; their sessions stay', async ({ server }) => {
  const { org, eventUid, manager, warden, call, person } = await eventWithWarden(server)

  await manager(endEvent, endInput(org))

  expect(await server.signInOf(eventUid, warden)).toMatchObject({
    onDuty: false,
    closedAt: expect.any(Date),
    offDutyAt: expect.any(Date),
  })
  expect(await call(getFloorData, {})).toMatchObject({ error: 'no_event', message: 'No Current Events' })
  const late = call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floorUid } })
  await expect(late).rejects.toMatchObject({ code: 'no_event', status: 409 })
  expect(await call(listReportInCards, { query: { signInMethod: 'Email' } })).toMatchObject([
    { Header: 'Current Assignment', Warden_Sign_In_UID: null },
  ])
})

test('RT-25 AMB-078 a report-in-link session ends with its event', async ({ server }) => {
  const { org, eventUid, manager, warden } = await eventWithWarden(server)
  const signIn = await server.signInOf(eventUid, warden)
  const link = await server.as(warden, { signInUid: signIn?.uid as SignInUid })
  await link(getProfile, {})

  await manager(endEvent, endInput(org))

  await expect(link(getProfile, {})).rejects.toMatchObject({ code: 'not_signed_in' })
})

test('EVENT-24 AMB-092 who comes second hears that it has concluded', async ({ server }) => {
  const { org, eventUid, manager } = await eventWithWarden(server)
  const other = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  await manager(endEvent, endInput(org))

  const answer = await other(endEvent, endInput(org))

  expect(answer).toEqual({ message: 'This event has already concluded.' })
  expect((await server.journalOf(eventUid)).filter(({ action }) => action === 'event_ended')).toHaveLength(1)
})

test('EVENT-24 the payload may come under userInput, and buildings outside the event do no harm', async ({
  server,
}) => {
  const { org, manager } = await eventWithWarden(server)
  const { body } = endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] })

  const answer = await manager(endEvent, { body: { userInput: body } })

  expect(answer).toMatchObject({ scope: 'event', remaining: 0 })
})

test('EVENT-21 EVENT-25 the next event begins anew: no one has reported in, no one is safe', async ({ server }) => {
  const { org, manager, warden, call, person, eventUid } = await eventWithWarden(server)
  await call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floorUid } })
  await manager(endEvent, endInput(org))

  const { event } = await manager(createEvent, startInput(org))

  const next = event?.id as EventUid
  expect(next).not.toBe(eventUid)
  expect(await server.signInOf(next, warden)).toMatchObject({ reportedIn: false, onDuty: false, offDutyAt: null })
  expect(await server.evacueeOf(next, person)).toMatchObject({ status: 'unknown' })
  expect(await server.evacueeOf(eventUid, person)).toMatchObject({ status: 'safe' })
})

test("EVENT-24 SESSION-26 the end and a sign-out at the same moment do not stand in each other's way", async () => {
  const database = await openTestDatabase()
  // the database would break them apart after a second
  await asAdmin(`alter database ${database.connection.database} set deadlock_timeout = '1min'`)
  await using own = await startTestServer({}, database)
  const { org, manager, warden, call, eventUid } = await eventWithWarden(own)
  const held = await own.hold('warden_sign_in', (await own.signInOf(eventUid, warden))?.uid as string)

  const ending = manager(endEvent, endInput(org))
  await held.waiting(1)
  const leaving = call(logout, {})
  await held.waiting(2)
  await held.release()

  expect(await ending).toMatchObject({ status: 'event_ended', scope: 'event' })
  expect(await leaving).toMatchObject({ status: 'logout_success' })
})

test('RT-03 ended by a manager who is not in it: by that person, without a sign-in', async ({ server }) => {
  const { org, eventUid } = await eventWithWarden(server)
  const deputy = await server.given.warden(org, { role: 'Chief Warden' })

  await (await server.as(deputy))(endEvent, endInput(org))

  const event = server.db.selectFrom('event').selectAll().where('uid', '=', eventUid)
  expect(await event.executeTakeFirst()).toMatchObject({ endedByPersonUid: deputy.personUid, endedBySignInUid: null })
})

test.for([
  ['131 characters', { message: 'x'.repeat(131) }],
  ['66 flames, each of which a phone counts twice', { message: '🔥'.repeat(66) }],
  ['alertToWarden, which only a start has', { alertToWarden: 'no' }],
  ['no buildings', { buildings: [] }],
] as const)('EVENT-39 API-31 %s is 422 and ends nothing', async ([, over], { server }) => {
  const { org, manager } = await eventWithWarden(server)

  const attempt = manager(endEvent, endInput(org, over as never))

  await expect(attempt).rejects.toMatchObject({ code: 'invalid_request', status: 422 })
  expect(await manager(listEventSites, {})).toMatchObject({ data: { activeEvent: { active: true } } })
})

test('UX-42 the end of another event than the one seen is refused, and the running one goes on', async ({ server }) => {
  const { org, eventUid: seen, manager } = await eventWithWarden(server)
  await manager(endEvent, { body: { ...endInput(org).body, event: seen } })
  const { event } = await manager(createEvent, startInput(org))

  const late = manager(endEvent, { body: { ...endInput(org).body, event: seen } })

  await expect(late).rejects.toMatchObject({ code: 'other_event', status: 409 })
  const { data } = await manager(listEventSites, {})
  expect(data.activeEvent).toMatchObject({ id: event?.id, active: true })
})

test('UX-42 an event manager reads who is not accounted for, those of one status by name', async ({ server }) => {
  const { org, eventUid, manager, person, call } = await eventWithWarden(server)
  await call(setPersonStatus, { body: { personId: person, status: 'in danger', floorId: org.floorUid } })
  const query = { event: eventUid }

  const inDanger = await manager(listUnaccounted, { query: { ...query, status: 'danger' } })
  const unknown = await manager(listUnaccounted, { query: { ...query, status: 'unknown' } })

  expect(inDanger).toMatchObject({
    event: { id: eventUid },
    counts: { safe: 0, unknown: 0, danger: 1, total: 1 },
    persons: [{ id: person, status: 'danger', location: expect.stringContaining(' - ') }],
    pagination: { total: 1, next_page_url: null },
  })
  expect(unknown.persons).toEqual([])
})
