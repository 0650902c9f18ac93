import { expect } from 'vitest'
import { getProfile, logout } from '#features/sign-in/calls/sign-in.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { postAs } from '#server/testing/post.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { doWaitingNow, dropWaiting, getNow } from '../../calls/waiting.ts'
import { listAssignments, withdrawAssignment } from '../../calls/wardens.ts'
import { makeDue, putOff } from './deferred-changes.service.ts'

const raise = (error: unknown) => {
  throw error
}
/** The worker's part, as after a restart. */
const work = ({ app }: TestServer) => makeDue(app, raise)

/** A running event with a floor warden on duty. */
async function post(server: TestServer) {
  const at = await givenConsole(server)
  const warden = await server.given.warden(at.org, { firstName: 'Kim', deskFloorUid: at.org.floors[1] })
  const event = await server.runningEvent(at.org)
  const phone = await server.onDuty(warden)
  const state = async () => {
    const { rows } = await at.call(listAssignments, { query: { person: warden.personUid } })
    return rows[0]?.state
  }
  const withdraw = (reason = 'Moves away') =>
    at.call(withdrawAssignment, { params: { uid: warden.assignmentUid }, body: { reason } })
  const isActive = async () =>
    (
      await server.db
        .selectFrom('person')
        .select('active')
        .where('uid', '=', warden.personUid)
        .executeTakeFirstOrThrow()
    ).active
  return { ...at, ...event, warden, phone, state, withdraw, isActive }
}

const deactivation = ({ clientUid, personUid }: Warden) => ({
  clientUid,
  personUid,
  kind: 'deactivation' as const,
  assignmentUid: null,
  reason: null,
  byPersonUid: null,
})

test('ORG-44 the end of an assignment waits while its warden is on duty, stands on Overview, and happens off duty', async ({
  server,
}) => {
  const { call, org, phone, state, withdraw } = await post(server)

  expect(await withdraw()).toEqual({ status: 'waiting' })
  await work(server)
  const { waiting } = await call(getNow, {})
  const before = await state()
  await phone(logout, {})
  await work(server)

  expect(waiting).toEqual([
    expect.objectContaining({
      kind: 'assignment_end',
      person: expect.stringMatching(/^Kim /),
      site: org.siteName,
      by: 'Nora Lind',
    }),
  ])
  expect([before, await state()]).toEqual(['accepted', 'withdrawn'])
  expect((await call(getNow, {})).waiting).toEqual([])
})

test('ORG-44 a newer wish replaces an older one; one that is given up never happens', async ({ server }) => {
  const { call, phone, state, withdraw } = await post(server)
  const waiting = async () => (await call(getNow, {})).waiting

  await withdraw('First')
  const [first] = await waiting()
  await withdraw('Second')
  const [second, ...more] = await waiting()
  await call(dropWaiting, { params: { uid: second?.uid as never } })
  await phone(logout, {})
  await work(server)

  expect(more).toEqual([])
  expect(second?.uid).not.toBe(first?.uid)
  expect(await refused(call(dropWaiting, { params: { uid: first?.uid as never } }))).toEqual(['not_found'])
  expect(await state()).toBe('accepted')
})

test('ORG-44 a deactivation waits for the end of the duty; then the next request of the phone is 401', async ({
  server,
}) => {
  const { db, given } = server
  const { warden, phone, isActive } = await post(server)
  const idle = await given.warden((await givenConsole(server)).org)
  await db.transaction().execute((tx) => putOff(tx, deactivation(warden)))
  await db.transaction().execute((tx) => putOff(tx, deactivation(idle)))

  await work(server)
  expect(await isActive()).toBe(true)
  const again = await server.as(warden)
  await phone(logout, {})
  await work(server)

  expect(await isActive()).toBe(false)
  expect(await refused(again(getProfile, {}))).toEqual(['not_signed_in'])
})

test('ORG-45 AMB-079 done now, the warden is off duty at once and told that they are no longer authorised', async ({
  server,
}) => {
  const { call, eventUid, warden, state, withdraw } = await post(server)
  await withdraw()
  const [{ uid } = { uid: '' as never }] = (await call(getNow, {})).waiting

  await call(doWaitingNow, { params: { uid } })

  expect(await state()).toBe('withdrawn')
  const signIn = await server.signInOf(eventUid, warden)
  expect(signIn).toMatchObject({ onDuty: false, closedAt: expect.any(Date) })
  expect((await server.journalOf(signIn?.uid ?? '')).map(({ action }) => action)).toContain('assignment_ended')
  expect(await server.evacueeOf(eventUid, warden.personUid)).toMatchObject({ active: true })
})

test('ORG-45 AMB-046 the last event manager on duty is not taken off; a deactivation is made now', async ({
  server,
}) => {
  const { call, chief, warden, isActive } = await post(server)
  for (const each of [chief, warden]) await server.db.transaction().execute((tx) => putOff(tx, deactivation(each)))
  const uidOf = async (name: string) =>
    (await call(getNow, {})).waiting.find(({ person }) => person.startsWith(name))?.uid as string

  const refusal = await postAs(server, call, `/api/console/waiting/${await uidOf('Chief')}/now`)
  await call(doWaitingNow, { params: { uid: (await uidOf('Kim')) as never } })

  expect(refusal).toMatchObject({
    status: 409,
    body: { error: 'on_duty', message: expect.stringMatching(/^Chief \d+ is the only Event Manager on duty\./) },
  })
  expect(await isActive()).toBe(false)
})

test('ORG-44 of withdrawing and going off duty at once, for eight wardens, each assignment ends', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const wardens = await Promise.all(Array.from({ length: 8 }, () => server.given.warden(org)))
  await server.runningEvent(org)
  const phones = await Promise.all(wardens.map((warden) => server.onDuty(warden)))

  const outcomes = await Promise.all(
    wardens.flatMap(({ assignmentUid }, n) => [
      call(withdrawAssignment, { params: { uid: assignmentUid }, body: { reason: 'Moves' } }),
      phones[n]?.(logout, {}),
    ]),
  )
  await work(server)

  expect(outcomes).toHaveLength(16)
  expect((await call(listAssignments, { query: { state: 'withdrawn' } })).rows).toHaveLength(8)
  expect((await call(getNow, {})).waiting).toEqual([])
})

test('ORG-41 ORG-44 of wardens whose assignment and person wait to end, each comes on the running list', async ({
  server,
}) => {
  const { org } = await givenConsole(server)
  const wardens = await Promise.all(Array.from({ length: 6 }, () => server.given.warden(org)))
  const { eventUid } = await server.runningEvent(org)
  const phones = await Promise.all(wardens.map((warden) => server.onDuty(warden)))
  for (const warden of wardens)
    await server.db.transaction().execute(async (tx) => {
      const wish = deactivation(warden)
      await putOff(tx, wish)
      await putOff(tx, { ...wish, kind: 'assignment_end', assignmentUid: warden.assignmentUid, reason: 'Ended' })
    })
  for (const phone of phones) await phone(logout, {})

  await work(server)

  const listed = await Promise.all(wardens.map(({ personUid }) => server.evacueeOf(eventUid, personUid)))
  expect(listed.map((evacuee) => evacuee?.active)).toEqual(wardens.map(() => true))
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})
