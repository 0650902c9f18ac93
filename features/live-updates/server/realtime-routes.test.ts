import { sql } from 'kysely'
import { expect } from 'vitest'
import { updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import { reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { verifyConnectionToken } from '#server/realtime/hub/token.ts'
import { endInput } from '#server/testing/event-input.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { openTransaction } from '#server/testing/open-transaction.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { secretKey, type TestServer } from '#server/testing/test-server.ts'
import { getChannels, getChannelToken, pollEvent, removedMessage } from '../calls/realtime.ts'
import { channelSnapshot, isOver } from './realtime.service.ts'

async function inEvent(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const running = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const signIn = await server.signInOf(running.eventUid, warden)
  return { org, warden, ...running, uid: signIn?.uid as string, call: await server.as(warden) }
}
async function sessionOf({ db }: TestServer, { personUid }: Warden) {
  const session = db.selectFrom('session').select('uid').where('personUid', '=', personUid)
  return (await session.executeTakeFirstOrThrow()).uid
}
const running = { status: true, ended_by: null }
const live = { event_kind: 'live', made_live: null, timezone: 'Australia/Sydney' }
const none = { event_kind: null, made_live: null }

test('RT-16 API-25 channels only while on duty; the sign-in whenever there is one', async ({ server }) => {
  const { call, uid, eventUid } = await inEvent(server)

  const before = await call(getChannels, {})
  await call(reportNotAvailable, {})
  const away = await call(getChannels, {})
  await call(reportIn, {})
  const onDuty = await call(getChannels, {})

  expect([before, away]).toEqual(Array(2).fill({ channels: [], Warden_Sign_In_UID: uid, ...live }))
  expect(onDuty).toEqual({ channels: [`event:${eventUid}`, `warden:${uid}`], Warden_Sign_In_UID: uid, ...live })
})

test.for([
  ['FEED-02', 'open'],
  ['FEED-05', 'prepared'],
] as const)(
  '%s API-25 the list says for how many seconds changes have waited behind a transaction: %s',
  async ([, how], { server }) => {
    const { call, org } = await inEvent(server)
    await call(reportIn, {})
    const other = await server.as(await server.given.warden(org))
    const behind = async (listener: typeof call) => (await listener(getChannels, {})).live
    await using _ = await openTransaction(undefined, how)
    {
      await using _ = await openTransaction(server.database.connection.database, how)
      expect(await behind(call)).toBeUndefined()
      const entry = {
        clientUid: org.clientUid,
        action: 'floor_status_set',
        subjectType: 'floor',
        subjectUid: org.floorUid,
      }
      await server.db
        .insertInto('journal')
        .values({ ...entry, recordedAt: sql`now() - interval '12 seconds'` })
        .execute()

      expect((await behind(call))?.behind_seconds).toBeOneOf([12, 13, 14])
      expect(await behind(other)).toBeUndefined()
    }
    await expect.poll(() => behind(call)).toBeUndefined()
  },
)

test('RT-16 RT-23 without an event: no channels, no sign-in, a poll that shows nothing, no token', async ({
  server,
}) => {
  const call = await server.as(await server.given.warden(await server.given.organisation()))

  expect(await call(getChannels, {})).toEqual({ channels: [], Warden_Sign_In_UID: null, ...none })
  expect(await call(pollEvent, {})).toEqual({ status: 'no_event', message: null })
  expect(await refused(call(getChannelToken, {}))).toEqual(['no_event'])
})

test('RT-11 RT-12 RT-20 the token is for this sign-in and its channels, HS256, one hour', async ({ server }) => {
  const { call, uid, eventUid } = await inEvent(server)
  await call(reportIn, {})

  const { token, expires_in, url } = await call(getChannelToken, {})

  const claims = await verifyConnectionToken([deriveSecrets(secretKey).realtime], token)
  const [header, body] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  expect(claims).toMatchObject({ sub: uid, channels: [`event:${eventUid}`, `warden:${uid}`] })
  expect(JSON.parse(header as string).alg).toBe('HS256')
  const { exp, iat } = JSON.parse(body as string)
  expect([expires_in, exp - iat]).toEqual([3600, 3600])
  expect(url).toBe('/connection/websocket')
})

test('RT-11 AUTH-05 who is not on duty gets no token', async ({ server }) => {
  const { call } = await inEvent(server)

  expect(await refused(call(getChannelToken, {}))).toEqual(['not_on_duty'])
  await call(reportNotAvailable, {})
  expect(await refused(call(getChannelToken, {}))).toEqual(['not_on_duty'])
})

test('RT-20 T2 whose assignment ended while on duty has no channels and gets no token', async ({ server }) => {
  const { call, warden, uid } = await inEvent(server)
  await call(reportIn, {})
  const withdrawn = server.db.updateTable('wardenAssignment').set({ status: 'Withdrawn' })
  await withdrawn.where('uid', '=', warden.assignmentUid).execute()

  expect(await call(getChannels, {})).toEqual({ channels: [], Warden_Sign_In_UID: uid, ...live })
  expect(await refused(call(getChannelToken, {}))).toEqual(['not_on_duty'])
  expect(await isOver(server.app, { sub: uid, sid: await sessionOf(server, warden) })).toBe(true)
  expect(await channelSnapshot(server.db, `warden:${uid}`)).toBeNull()
})

test('RT-18 RT-22 the own channel begins with the unread state; no other channel has a beginning', async ({
  server,
}) => {
  const { call, warden, uid, eventUid } = await inEvent(server)
  await call(reportIn, {})

  const snapshot = JSON.parse((await channelSnapshot(server.db, `warden:${uid}`)) ?? 'null')

  expect(snapshot).toEqual(await call(pollEvent, {}))
  expect(await isOver(server.app, { sub: uid, sid: await sessionOf(server, warden) })).toBe(false)
  for (const channel of [`event:${eventUid}`, `warden:${eventUid}`])
    expect(await channelSnapshot(server.db, channel)).toBeNull()
})

test('RT-22 RT-23 while the event runs the poll says so, on duty or not, and never its end', async ({ server }) => {
  const { call } = await inEvent(server)

  expect(await call(pollEvent, {})).toEqual({ status: 'ok', message: null, event: running, event_kind: 'live' })
  await call(reportIn, {})
  expect(await call(pollEvent, {})).toEqual({
    status: 'ok',
    message: null,
    unread_messages_from_wardens: [],
    warden_unread_msg: false,
    evacuee_unread_msg: false,
    evacuee_unread_count: 0,
    event: running,
    event_kind: 'live',
  })
})

test('RT-01 RT-03 RT-23 after the end the poll tells who ended it, for ten minutes', async ({ server }) => {
  const { org, call, manager, uid, signInUid } = await inEvent(server)
  await call(reportIn, {})

  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))

  const concluded = { status: 'ok', message: null, event: { status: false, ended_by: signInUid } }
  expect(await call(pollEvent, {})).toEqual(concluded)
  expect(await manager(pollEvent, {})).toEqual(concluded)
  const age = (minutes: number) =>
    sql`update warden_sign_in set closed_at = now() - make_interval(mins => ${minutes}) where uid = ${uid}`.execute(
      server.db,
    )
  await age(9)
  expect(await call(pollEvent, {})).toEqual(concluded)
  await age(11)
  expect(await call(pollEvent, {})).toEqual({ status: 'no_event', message: null })
})

test('RT-05 EVENT-54 whose building was removed is told so by the poll; the others are not', async ({ server }) => {
  const { org, call, manager } = await inEvent(server)
  await call(reportIn, {})

  await manager(endEvent, endInput(org, { buildings: [org.buildingUid] }))

  expect(await call(pollEvent, {})).toEqual({ status: 'removed', message: removedMessage, event: running })
  expect(await call(getChannels, {})).toEqual({ channels: [], Warden_Sign_In_UID: null, ...none })
  expect(await manager(pollEvent, {})).toMatchObject({ status: 'ok', event: running })
})

test('RT-23 AMB-067 who has withdrawn is told neither of a removal nor of the end of the event they left', async ({
  server,
}) => {
  const { call, warden, org, manager } = await inEvent(server)
  await call(reportNotAvailable, {})
  await call(updateAssignmentStatus, {
    body: {
      Warden_Assignment_UID: warden.assignmentUid,
      Assignment_Status: 'Withdrawn',
      Assignment_Declined_Note: 'On leave',
    },
  })

  expect(await call(pollEvent, {})).toEqual({ status: 'no_event', message: null })
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  expect(await call(pollEvent, {})).toEqual({ status: 'no_event', message: null })
})
