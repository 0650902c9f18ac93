import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { markNotAvailable, markOnDuty, reportIn, reportNotAvailable } from '../calls/report-in.ts'

async function wardenInEvent(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid, manager } = await server.runningEvent(org)
  const read = () => server.signInOf(eventUid, warden)
  const uid = (await read())?.uid as SignInUid
  return { org, warden, eventUid, manager, call: await server.as(warden), read, uid }
}
test('REPORT-17 API-19 report in: reported in and on duty, told once in the journal', async ({ server }) => {
  const { call, read, uid, warden } = await wardenInEvent(server)

  const answer = await call(reportIn, {})

  expect(answer).toEqual({ success: true, status: 'On Duty', message: expect.any(String) })
  expect(await read()).toMatchObject({
    reportedIn: true,
    onDuty: true,
    notAvailable: false,
    onDutyAt: expect.any(Date),
  })
  expect(await server.journalOf(uid)).toMatchObject([
    {
      action: 'warden_reported_in',
      actorPersonUid: warden.personUid,
      actorSignInUid: uid,
      before: { attendance: 'unknown' },
      after: { attendance: 'on_duty' },
    },
  ])
})

test('REPORT-17 AMB-062 reporting in again is a success that changes nothing', async ({ server }) => {
  const { call, read, uid } = await wardenInEvent(server)
  await call(reportIn, {})
  const before = await read()

  const again = await call(reportIn, {})
  const byUid = await call(markOnDuty, { body: { Warden_Sign_In_UID: uid } })

  expect([again, byUid]).toEqual([
    expect.objectContaining({ success: true }),
    expect.objectContaining({ status: 'On Duty' }),
  ])
  expect(await read()).toEqual(before)
  expect(await server.journalOf(uid)).toHaveLength(1)
})

test('REPORT-18 API-20 report not available, once', async ({ server }) => {
  const { call, read, uid } = await wardenInEvent(server)

  const answer = await call(reportNotAvailable, {})
  await call(markNotAvailable, { body: { Warden_Sign_In_UID: uid } })

  expect(answer).toEqual({ status: 'Not Available', message: 'You have been reported as not available.' })
  expect(await read()).toMatchObject({ reportedIn: true, onDuty: false, notAvailable: true })
  expect((await server.journalOf(uid)).map(({ action }) => action)).toEqual(['warden_not_available'])
})

test('REPORT-29 report in after not available: on duty, no longer not available', async ({ server }) => {
  const { call, read } = await wardenInEvent(server)
  await call(reportNotAvailable, {})

  await call(reportIn, {})

  expect(await read()).toMatchObject({ onDuty: true, notAvailable: false })
})

test('REPORT-22 AMB-065 on duty never becomes not available directly', async ({ server }) => {
  const { call, read, uid } = await wardenInEvent(server)
  await call(reportIn, {})

  const answers = [
    await call(reportNotAvailable, {}),
    await call(markNotAvailable, { body: { Warden_Sign_In_UID: uid } }),
  ]

  const refused = { error: 'already_on_duty', message: 'You are on duty. Use Go Off Duty to leave the event.' }
  expect(answers).toEqual([refused, refused])
  expect(await read()).toMatchObject({ onDuty: true, notAvailable: false })
})

test('AMB-065 off duty can become not available, and on duty again as a rejoin', async ({ server }) => {
  const { call, read, uid, warden } = await wardenInEvent(server)
  await call(reportIn, {})
  await call(logout, {})
  const again = await server.as(warden)

  await again(reportNotAvailable, {})
  expect(await read()).toMatchObject({ onDuty: false, notAvailable: true })
  await again(markOnDuty, { body: { Warden_Sign_In_UID: uid } })
  expect(await read()).toMatchObject({ onDuty: true, notAvailable: false })

  expect((await server.journalOf(uid)).map(({ action }) => action)).toEqual([
    'warden_reported_in',
    'warden_off_duty',
    'session_ended',
    'warden_not_available',
    'warden_rejoined',
  ])
})

test('REPORT-30 AMB-064 without an event both are no_current_event, with 200', async ({ server }) => {
  const call = await server.as(await server.given.warden(await server.given.organisation()))

  const answers = [await call(reportIn, {}), await call(reportNotAvailable, {})]

  const refused = { error: 'no_current_event', message: 'There is no current event for this assignment.' }
  expect(answers).toEqual([refused, refused])
})

test('AMB-064 after the end both are no_current_event, by the sign-in too', async ({ server }) => {
  const { call, org, manager, uid, read } = await wardenInEvent(server)
  await manager(endEvent, endInput(org))

  const body = { Warden_Sign_In_UID: uid }
  const answers = [
    await call(reportIn, {}),
    await call(reportNotAvailable, {}),
    await call(markOnDuty, { body }),
    await call(markNotAvailable, { body }),
  ]

  expect(new Set(answers.map((answer) => 'error' in answer && answer.error))).toEqual(new Set(['no_current_event']))
  expect(await read()).toMatchObject({ reportedIn: false, onDuty: false })
})

test('AMB-064 whose assignment ended meanwhile is not current', async ({ server }) => {
  const { call, warden, read } = await wardenInEvent(server)
  const withdrawn = server.db.updateTable('wardenAssignment').set({ status: 'Withdrawn' })
  await withdrawn.where('uid', '=', warden.assignmentUid).execute()

  const answers = [await call(reportIn, {}), await call(reportNotAvailable, {})]

  const refused = { error: 'assignment_not_current', message: 'Your assignment is not current.' }
  expect(answers).toEqual([refused, refused])
  expect(await read()).toMatchObject({ onDuty: false, notAvailable: false })
})

test('REPORT-17 twenty taps at once are one report-in', async ({ server }) => {
  const { call, uid } = await wardenInEvent(server)

  const answers = await Promise.all(Array.from({ length: 20 }, () => call(reportIn, {}, withKey())))

  expect(new Set(answers.map((answer) => 'success' in answer))).toEqual(new Set([true]))
  expect(await server.journalOf(uid)).toHaveLength(1)
})

test('REPORT-17 a report-in that comes again by the same key, at once or later, is told once and changes nothing', async ({
  server,
}) => {
  const { call, read, uid } = await wardenInEvent(server)
  const sameKey = withKey()

  const answers = await Promise.all(Array.from({ length: 20 }, () => call(reportIn, {}, sameKey)))
  await server.db.updateTable('wardenSignIn').set({ onDuty: false }).where('uid', '=', uid).execute()
  const late = await call(reportIn, {}, sameKey)

  expect(new Set([...answers, late].map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await read()).toMatchObject({ reportedIn: true, onDuty: false })
  expect(await server.journalOf(uid)).toHaveLength(1)
})

test('REPORT-17 a key that another call has used is refused', async ({ server }) => {
  const { call, read } = await wardenInEvent(server)
  const sameKey = withKey()
  await call(reportNotAvailable, {}, sameKey)

  await expect(call(reportIn, {}, sameKey)).rejects.toMatchObject({ code: 'idempotency_conflict' })

  expect(await read()).toMatchObject({ onDuty: false, notAvailable: true })
})

test('REPORT-17 report in and not available at once end in one state, thirty times', async ({ server }) => {
  const { call, read, uid } = await wardenInEvent(server)
  const reset = server.db.updateTable('wardenSignIn').set({ onDuty: false, notAvailable: false }).where('uid', '=', uid)

  for (let round = 0; round < 30; round++) {
    await reset.execute()
    await Promise.all([call(reportIn, {}), call(reportNotAvailable, {})])
    expect(await read()).toMatchObject({ onDuty: true, notAvailable: false })
  }
})

test('REPORT-17 EVENT-25 who reports in while the event is ending is told that there is none', async ({ server }) => {
  const { call, manager, org, read, uid } = await wardenInEvent(server)
  const hold = await server.hold('warden_sign_in', uid)
  const ending = manager(endEvent, endInput(org))
  await hold.waiting(1)

  const reporting = call(reportIn, {})
  await hold.waiting(2)
  await hold.release()

  expect(await ending).toMatchObject({ scope: 'event' })
  expect(await reporting).toMatchObject({ error: 'no_current_event' })
  expect(await read()).toMatchObject({ onDuty: false, reportedIn: false })
})

test('REPORT-17 EVENT-25 report in against the end: never on duty in an ended event, forty times', async ({
  server,
}) => {
  for (let round = 0; round < 40; round++) {
    const { call, manager, org, eventUid } = await wardenInEvent(server)

    await Promise.all([call(reportIn, {}), manager(endEvent, endInput(org))])

    const open = server.db.selectFrom('wardenSignIn').select('uid').where('eventUid', '=', eventUid)
    expect(await open.where((eb) => eb.or([eb('onDuty', '=', true), eb('closedAt', 'is', null)])).execute()).toEqual([])
  }
}, 60_000)
