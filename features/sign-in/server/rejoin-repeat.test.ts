import { sql } from 'kysely'
import { expect } from 'vitest'
import { listReportInCards, type ReportInCard } from '#features/duty/calls/report-in.ts'
import type { SignInUid } from '#kernel/ids.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getProfile, logout, rejoin } from '../calls/sign-in.ts'

/** Someone with two cards whose rejoin as the first was answered, and what that rejoin brought. */
async function rejoined({ given, as, db, callWith }: TestServer) {
  const org = await given.organisation()
  const warden = await given.warden(org)
  await given.warden(await given.organisation(), { accountUid: warden.accountUid })
  const call = await as(warden)
  const [card, other] = (await call(listReportInCards, { query: { signInMethod: 'Email' } })) as [
    ReportInCard,
    ReportInCard,
  ]
  const key = withKey()
  const repeat = () => call(rejoin, { body: { oauth_token: card.oauth_token } }, key)
  const first = await repeat()
  const sessions = () =>
    db.selectFrom('session').select(['uid', 'revokedAt']).where('accountUid', '=', warden.accountUid).execute()
  return { call, card, other, key, repeat, first, sessions, next: callWith(first.access_token) }
}
const notSignedIn = { code: 'not_signed_in', status: 401 }

test('F7 API-10 the answer to a rejoin is lost: asked again with its key, it is the same', async ({ server }) => {
  const { call, repeat, first, sessions, next } = await rejoined(server)

  expect(await repeat()).toEqual(first)

  await expect(next(getProfile, {})).resolves.toBeDefined()
  await expect(call(getProfile, {})).rejects.toMatchObject(notSignedIn)
  expect(await sessions()).toHaveLength(2)
})

test('F7 API-10 twenty repeats of one rejoin at once, the first among them, are one session', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  const call = await server.as(warden)
  const key = withKey()

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call(rejoin, { body: { person_uid: warden.personUid } }, key)),
  )

  expect(new Set(answers.map(({ access_token }) => access_token)).size).toBe(1)
  const live = server.db.selectFrom('session').select('uid').where('revokedAt', 'is', null)
  expect(await live.where('accountUid', '=', warden.accountUid).execute()).toHaveLength(1)
})

test('F7 a repeat that comes late, when the new session is in use, leaves it as it is', async ({ server }) => {
  const { repeat, next } = await rejoined(server)
  await next(getProfile, {})

  await repeat()

  await expect(next(getProfile, {})).resolves.toBeDefined()
})

test('F7 RT-25 the rejoin of a report-in link is answered again, too', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const signIn = await server.signInOf(eventUid, warden)
  const call = await server.as(warden, { signInUid: signIn?.uid as SignInUid })
  const key = withKey()
  const ask = () => call(rejoin, { body: { person_uid: warden.personUid } }, key)

  expect(await ask()).toEqual(await ask())
})

test('API-10 T3 the old token is dead without the key, with another, and for another card', async ({ server }) => {
  const { call, card, other, key, first } = await rejoined(server)
  const body = { oauth_token: card.oauth_token }

  for (const attempt of [
    () => call(rejoin, { body }),
    () => call(rejoin, { body }, withKey()),
    () => call(rejoin, { body: { oauth_token: other.oauth_token } }, key),
    () => server.stranger(rejoin, { body }, key),
    () => server.callWith(first.access_token.slice(0, -1))(rejoin, { body }, key),
  ])
    await expect(attempt()).rejects.toMatchObject(notSignedIn)
})

test('API-10 T3 the same key brings another token from another session', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  const [one, other] = [await server.as(warden), await server.as(warden)]
  const key = withKey()
  const body = { person_uid: warden.personUid }

  expect((await one(rejoin, { body }, key)).access_token).not.toBe((await other(rejoin, { body }, key)).access_token)
})

test.for([
  [290, 'answered again'],
  [310, 'refused'],
] as const)('F7 T3 a repeat %i seconds after its rejoin is %s', async ([seconds, outcome], { server }) => {
  const { repeat, first } = await rejoined(server)
  const opened = server.db.updateTable('session').set({ createdAt: sql`now() - make_interval(secs => ${seconds})` })
  await opened.where('tokenHash', '=', sha256(first.access_token)).execute()

  if (outcome === 'refused') await expect(repeat()).rejects.toMatchObject(notSignedIn)
  else expect(await repeat()).toEqual(first)
})

test('T3 SESSION-16 who has signed out, or has gone on to the next card, is not signed in again', async ({
  server,
}) => {
  const signedOut = await rejoined(server)
  await signedOut.next(logout, {})
  const wentOn = await rejoined(server)
  const cards = await wentOn.next(listReportInCards, { query: { signInMethod: 'Email' } })
  await wentOn.next(rejoin, { body: { oauth_token: cards[1]?.oauth_token as string } })

  for (const { repeat } of [signedOut, wentOn]) await expect(repeat()).rejects.toMatchObject(notSignedIn)
})

test('F7 T3 a repeat for an assignment that has been withdrawn meanwhile finds no one signed in', async ({
  server,
}) => {
  const { card, repeat } = await rejoined(server)
  const withdrawn = server.db.updateTable('wardenAssignment').set({ status: 'Withdrawn' })
  await withdrawn.where('uid', '=', card.Warden_Assignment_UID).execute()

  await expect(repeat()).rejects.toMatchObject(notSignedIn)
})
