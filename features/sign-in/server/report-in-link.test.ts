import { sql } from 'kysely'
import { expect } from 'vitest'
import { getReportInCardByLink, reportIn } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { getChannels, pollEvent, removedMessage } from '#features/live-updates/calls/realtime.ts'
import type { SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { listen } from '#server/testing/listen.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, testConfig } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { getProfile, logout, verifyLoginByMobile, verifyLoginReportIn } from '../calls/sign-in.ts'

/** A floor warden of Tower A who was alerted to an event there and in Tower B, with the token of the link they were sent. */
async function alertedWarden(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { alertToWarden: 'yes', buildings })
  await sendTexts(server)
  const [text] = await textsOn(server, warden.mobile)
  const signInUid = (await server.signInOf(eventUid, warden))?.uid as SignInUid
  const end = () => manager(endEvent, endInput(org, { buildings }))
  const removeTower = () => manager(endEvent, endInput(org))
  return { org, warden, text, token: tokenIn(text), signInUid, eventUid, end, removeTower }
}

const verify = (server: TestServer, token: string) => server.stranger(verifyLoginReportIn, { body: { token } })
/** Signs in by the link; answers the caller of that session. */
async function open(server: TestServer, token: string) {
  const auth = await verify(server, token)
  return server.callWith('access_token' in auth ? auth.access_token : undefined)
}
const linkSessions = ({ db }: TestServer, signInUid: SignInUid) =>
  db.selectFrom('session').selectAll().where('signInUid', '=', signInUid).execute()

test('LINK-08 API-09 AMB-094 the link of an alert signs its warden in to that event', async ({ server }) => {
  const { warden, text, token, signInUid } = await alertedWarden(server)

  expect(text).toBe(`Evacuate now. Report in: ${testConfig.appUrl}/login#reportInToken=${token}`)
  const auth = await verify(server, token)

  expect(auth).toMatchObject({
    tokenStatus: 'valid',
    WardenSignInUID: signInUid,
    Warden_Assignment_UID: warden.assignmentUid,
    on_duty: false,
    event: { status: true },
  })
  const [session] = await linkSessions(server, signInUid)
  expect(session).toMatchObject({ signInMethod: 'Mobile', isReportInToken: true, personUid: warden.personUid })
})

test('LINK-08 T11 the links of a whole site open within one minute, from behind one address', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })
  const { token } = await alertedWarden(server)
  const { method, path } = verifyLoginReportIn
  const request = { method, url: path, remoteAddress: '203.0.113.9', payload: { token } }

  const opened: unknown[] = []
  for (let i = 0; i < 12; i++) opened.push((await server.app.inject(request)).json().tokenStatus)

  expect(opened).toEqual(Array(12).fill('valid'))
})

test('LINK-08 AMB-036 by link there is the one card, and the warden can report in', async ({ server }) => {
  const { warden, token, signInUid, eventUid } = await alertedWarden(server)
  const call = await open(server, token)

  const cards = await call(getReportInCardByLink, { query: { WardenSignInUID: signInUid } })
  await call(reportIn, {})

  expect(cards).toHaveLength(1)
  expect(await server.signInOf(eventUid, warden)).toMatchObject({ onDuty: true })
})

test('AMB-037 the link works again, each time with a session of its own', async ({ server }) => {
  const { token, signInUid } = await alertedWarden(server)

  const [first, second] = [await open(server, token), await open(server, token)]

  await expect(first(getProfile, {})).resolves.toBeDefined()
  await expect(second(getProfile, {})).resolves.toBeDefined()
  expect(await linkSessions(server, signInUid)).toHaveLength(2)
})

test('AMB-037 T8 of a thousand openings at once, over HTTP, each has a session of its own, and the end of the event ends them all', async ({
  server,
}) => {
  const { token, signInUid, warden, end } = await alertedWarden(server)
  const listening = await listen(server)

  const answers = await Promise.all(Array.from({ length: 1000 }, () => listening.post(verifyLoginReportIn, { token })))

  const tokens = new Set(answers.map((answer) => 'access_token' in answer && answer.access_token))
  expect(new Set(answers.map((answer) => 'Person_UID' in answer && answer.Person_UID))).toEqual(
    new Set([warden.personUid]),
  )
  expect(tokens.size).toBe(1000)
  expect(await linkSessions(server, signInUid)).toHaveLength(1000)
  await end()
  const alive = (await linkSessions(server, signInUid)).filter(({ revokedAt }) => revokedAt === null)
  expect(alive).toEqual([])
}, 120_000)

test('LINK-09 LOGIN-46 after the end of the event the link is concluded, and its sessions are over', async ({
  server,
}) => {
  const { token, end } = await alertedWarden(server)
  const call = await open(server, token)

  await end()

  expect(await verify(server, token)).toEqual({ tokenStatus: 'invalid-concluded' })
  await expect(call(getProfile, {})).rejects.toMatchObject({ status: 401 })
})

test('RT-25 RT-23 the session of a link that ended with its event still hears why, and nothing else', async ({
  server,
}) => {
  const { token, end } = await alertedWarden(server)
  const call = await open(server, token)
  await call(reportIn, {})
  const left = await open(server, token)
  await left(reportIn, {})
  await left(logout, {})
  await call(reportIn, {})

  await end()

  expect(await call(pollEvent, {})).toMatchObject({ status: 'ok', event: { status: false } })
  await expect(call(getChannels, {})).rejects.toMatchObject({ status: 401 })
  await expect(left(pollEvent, {})).rejects.toMatchObject({ status: 401 })
  await sql`update session set revoked_at = revoked_at - interval '11 minutes'`.execute(server.db)
  await sql`update warden_sign_in set closed_at = closed_at - interval '11 minutes'`.execute(server.db)
  await expect(call(pollEvent, {})).rejects.toMatchObject({ status: 401 })
})

test('RT-25 RT-05 the session of a link whose building was taken out of the event hears so', async ({ server }) => {
  const { token, removeTower } = await alertedWarden(server)
  const call = await open(server, token)
  await call(reportIn, {})

  await removeTower()

  expect(await call(pollEvent, {})).toMatchObject({ status: 'removed', message: removedMessage })
})

test('LINK-09 AMB-037 a warden whose building was taken out of the event finds it concluded', async ({ server }) => {
  const { token, removeTower } = await alertedWarden(server)

  await removeTower()

  expect(await verify(server, token)).toEqual({ tokenStatus: 'invalid-concluded' })
})

test('LINK-10 LOGIN-47 an unknown and a malformed token are not found', async ({ server }) => {
  for (const token of ['x', `${(await alertedWarden(server)).token}A`, "' or 1=1 --"])
    expect(await verify(server, token)).toEqual({ tokenStatus: 'invalid-notfound' })
})

test('LINK-11 LOGIN-48 after a day a link is expired, and after the end concluded before that', async () => {
  const clock = { time: Date.now(), now: () => new Date(clock.time) }
  await using server = await startTestServer({ clock })
  const { token, end } = await alertedWarden(server)

  clock.time += 24 * 3_600_000 - 60_000
  expect(await verify(server, token)).toMatchObject({ tokenStatus: 'valid' })

  clock.time += 120_000
  expect(await verify(server, token)).toEqual({ tokenStatus: 'invalid-expired' })

  await end()
  expect(await verify(server, token)).toEqual({ tokenStatus: 'invalid-concluded' })
})

test.for(['account', 'person', 'client'] as const)(
  'LINK-10 T8 the link of a deactivated %s opens nothing',
  async (table, { server }) => {
    const { token, warden } = await alertedWarden(server)
    const uid = { account: warden.accountUid, person: warden.personUid, client: warden.clientUid }[table]
    await server.db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

    expect(await verify(server, token)).toEqual({ tokenStatus: 'invalid-notfound' })
  },
)

test('T8 a link of one kind is nothing to the other call', async ({ server }) => {
  const { token } = await alertedWarden(server)

  expect(await server.stranger(verifyLoginByMobile, { body: { token } })).toEqual({ tokenStatus: 'expired' })
})

test('T8 LINK-09 a link opened while its event is being ended leaves no session behind', async ({ server }) => {
  const { token, signInUid, end } = await alertedWarden(server)
  const held = await server.hold('warden_sign_in', signInUid)
  const opening = verify(server, token)
  await held.waiting(1)
  const ending = end()
  await held.waiting(2)

  await held.release()
  await Promise.all([opening, ending])

  const alive = (await linkSessions(server, signInUid)).filter(({ revokedAt }) => revokedAt === null)
  expect(alive).toEqual([])
  expect(await opening).toMatchObject({ tokenStatus: 'valid' })
})
