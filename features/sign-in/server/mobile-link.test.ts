import { expect } from 'vitest'
import { askedHeader } from '#kernel/write-headers.ts'
import { sha256 } from '#server/platform/secrets.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { listen } from '#server/testing/listen.ts'
import { wardenOf } from '#server/testing/post.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, testConfig } from '#server/testing/test-server.ts'
import { sendTexts, textsOn, tokenIn } from '#server/testing/texts.ts'
import { getProfile, verifyLoginByMobile } from '../calls/sign-in.ts'
import { expired, newToken, request, sent, textRows, unknown, verify } from './mobile-link.fixture.ts'

test('API-06 API-08 AMB-033 a registered mobile is sent a link that signs its warden in', async ({ server }) => {
  const warden = await wardenOf(server)

  expect(await request(server, warden.mobile)).toEqual(sent)
  await sendTexts(server)

  const [text] = await textsOn(server, warden.mobile)
  expect(text).toBe(
    `All Wardens sign-in link (expires in 3 minutes): ${testConfig.appUrl}/login#token=${tokenIn(text)}`,
  )
  const auth = await verify(server, tokenIn(text))
  expect(auth).toMatchObject({ tokenStatus: 'valid', token_type: 'Bearer', Person_UID: warden.personUid })
  const profile = await server.callWith('access_token' in auth ? auth.access_token : '')(getProfile, {})
  expect(profile.Email).toBe(warden.email)
})

test('API-08 SESSION-04 the session is one by mobile, of an ordinary length', async ({ server }) => {
  const warden = await wardenOf(server)

  await verify(server, await newToken(server, warden))

  const [session] = await sessionsOf(server, warden)
  expect(session).toMatchObject({ signInMethod: 'Mobile', isReportInToken: false, signInUid: null })
  const hours = ((session?.expiresAt.getTime() ?? 0) - (session?.createdAt.getTime() ?? 0)) / 3_600_000
  expect(hours).toBeCloseTo(12, 1)
})

test('AMB-030 a leading plus is accepted', async ({ server }) => {
  const warden = await wardenOf(server)

  expect(await request(server, `+${warden.mobile}`)).toEqual(sent)
})

test('API-07 LOGIN-43 a number that no one has, or that is none, is invalid with a text to show', async ({
  server,
}) => {
  for (const phone of ['61400999999', '+61400999999', '0400999999', '1', 'abc', '61 400 999 999', '١٢٣٤٥٦٧٨٩'])
    expect(await request(server, phone)).toEqual(unknown)
})

test.for([
  ['has lapsed', { dateFrom: '2020-01-01', dateTo: '2020-12-31' }],
  ['has declined', { status: 'Declined' }],
] as const)('API-07 AMB-023 the number of a warden who %s is invalid', async ([, over], { server }) => {
  const { mobile } = await wardenOf(server, over)

  expect(await request(server, mobile)).toEqual(unknown)
})

test('API-07 the number of an account that is switched off is invalid, and its link is dead', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  await server.db.updateTable('account').set({ active: false }).where('uid', '=', warden.accountUid).execute()

  expect(await verify(server, token)).toEqual(expired)
  expect(await request(server, warden.mobile)).toEqual(unknown)
})

test('AMB-031 without a way out for texts no one is told that one was sent', async () => {
  await using server = await startTestServer({ config: { ...testConfig, smsGateways: [] } })
  const { mobile } = await wardenOf(server)

  const answer = await request(server, mobile)

  const popup_text = 'The sign-in link could not be sent. Please try again.'
  expect(answer.body).toEqual({ mobile: 'invalid', popup_text })
  expect(await textRows(server)).toEqual([])
})

test('T7 CONST-02 of a link only the hash is kept, and the text is good for as long as the link', async ({
  server,
}) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)

  const row = await server.db
    .selectFrom('mobileToken')
    .selectAll()
    .where('accountUid', '=', warden.accountUid)
    .executeTakeFirstOrThrow()

  expect(row.tokenHash).toEqual(sha256(token))
  expect((row.expiresAt.getTime() - row.createdAt.getTime()) / 1000).toBeCloseTo(180, -1)
  const text = (await textRows(server)).find(({ mobileTokenUid }) => mobileTokenUid === row.uid)
  expect(text).toMatchObject({ kind: 'sign_in_link', validUntil: row.expiresAt })
  const journal = await server.db.selectFrom('journal').selectAll().execute()
  expect(JSON.stringify([row, text, journal])).not.toContain(token)
})

test.for([
  [179, 'valid'],
  [181, 'expired'],
] as const)(
  'LOGIN-49 CONST-02 after %i seconds a link is %s, by the clock of the server',
  async ([seconds, status]) => {
    const clock = { time: Date.now(), now: () => new Date(clock.time) }
    await using server = await startTestServer({ clock })
    const token = await newToken(server, await wardenOf(server))

    clock.time += seconds * 1000

    expect(await verify(server, token)).toMatchObject({ tokenStatus: status })
  },
)

test('LOGIN-55 LOGIN-45 a second use, an unknown token and a malformed one are expired', async ({ server }) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  await verify(server, token, 'one page')

  for (const attempt of [verify(server, token, 'another page'), verify(server, token)])
    expect(await attempt).toEqual(expired)
  for (const other of ['x', `${token}A`, sha256('nobody').toString('base64url'), "' or 1=1 --"])
    expect(await verify(server, other)).toEqual(expired)
  expect(await sessionsOf(server, warden)).toHaveLength(1)
})

test('T7 the page that lost the answer may ask again, for as long as the link lives', async () => {
  const clock = { time: Date.now(), now: () => new Date(clock.time) }
  await using server = await startTestServer({ clock })
  const token = await newToken(server, await wardenOf(server))

  const [first, again] = [await verify(server, token, 'my page'), await verify(server, token, 'my page')]
  expect([first, again]).toMatchObject([{ tokenStatus: 'valid' }, { tokenStatus: 'valid' }])
  expect('access_token' in again && 'access_token' in first && again.access_token).not.toBe(
    'access_token' in first && first.access_token,
  )

  clock.time += 180_001
  expect(await verify(server, token, 'my page')).toEqual(expired)
})

test('LOGIN-55 T7 anyone who never named a page cannot ask again', async ({ server }) => {
  const token = await newToken(server, await wardenOf(server))
  await verify(server, token)

  expect(await verify(server, token)).toEqual(expired)
  expect(await verify(server, token, 'a page')).toEqual(expired)
})

test('LOGIN-55 T7 of a thousand attempts at once, over HTTP, of browsers that have asked, exactly one signs in', async ({
  server,
}) => {
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)
  const listening = await listen(server)

  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, page) =>
      listening.post(verifyLoginByMobile, { token }, `page ${page}`, { [askedHeader]: '1' }),
    ),
  )

  expect(answers.filter(({ tokenStatus }) => tokenStatus === 'valid')).toHaveLength(1)
  expect(answers.filter(({ tokenStatus }) => tokenStatus === 'expired')).toHaveLength(999)
  expect(await sessionsOf(server, warden)).toHaveLength(1)
}, 30_000)

test('T7 looking at a link, as previews do, does not use it up', async ({ server }) => {
  const token = await newToken(server, await wardenOf(server))

  for (const method of ['GET', 'HEAD'] as const)
    for (const path of ['/login', verifyLoginByMobile.path])
      await server.app.inject({ method, url: `${path}?token=${token}` })

  expect(await verify(server, token)).toMatchObject({ tokenStatus: 'valid' })
})

test('AMB-033 a newer link voids the older one, also for the page that used it', async ({ server }) => {
  const warden = await wardenOf(server)
  const [older, oldest] = [await newToken(server, warden), await newToken(server, warden)].toReversed() as [
    string,
    string,
  ]
  await verify(server, older, 'my page')

  const newest = await newToken(server, warden)

  expect(await verify(server, oldest)).toEqual(expired)
  expect(await verify(server, older, 'my page')).toEqual(expired)
  expect(await verify(server, newest)).toMatchObject({ tokenStatus: 'valid' })
})

test('AMB-033 two requests at once leave one link alive, ten times', async ({ server }) => {
  for (let round = 0; round < 10; round++) {
    const { accountUid, mobile } = await wardenOf(server)

    await Promise.all([request(server, mobile), request(server, mobile)])

    const alive = server.db.selectFrom('mobileToken').select('uid').where('accountUid', '=', accountUid)
    expect(await alive.where('voidedAt', 'is', null).execute()).toHaveLength(1)
  }
})

const sessionsOf = ({ db }: TestServer, { accountUid }: Warden) =>
  db.selectFrom('session').selectAll().where('accountUid', '=', accountUid).orderBy('createdAt').execute()
