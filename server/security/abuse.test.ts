import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { requestPasswordReset, resetPassword } from '#features/sign-in/calls/password-reset.ts'
import { login, loginByMobile, verifyLoginByMobile, verifyLoginReportIn } from '#features/sign-in/calls/sign-in.ts'
import { readConfig } from '../platform/config/config.ts'
import { ConfigError } from '../platform/config/read-setting.ts'
import { newToken } from '../platform/secrets.ts'
import { mailsTo, sendMails } from '../testing/mails.ts'
import { test } from '../testing/server-test.ts'
import { startTestServer, testConfig } from '../testing/test-server.ts'

const evil = {
  host: 'evil.test',
  'x-forwarded-host': 'evil.test',
  'x-forwarded-proto': 'https',
  forwarded: 'host=evil.test',
}

test("T16 a link uses the installation's address, whatever host a request names", async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  const { method, path } = requestPasswordReset

  await server.app.inject({ method, url: path, headers: evil, payload: { email: warden.email } })
  await sendMails(server)

  const [mail] = await mailsTo(server, warden.email)
  expect(mail?.body).toContain(`${server.config.appUrl}/reset-password#token=`)
  expect(mail?.body).not.toContain('evil.test')
})

test("T16 the address of a list's next page is a path, whatever host a request names", async ({ server }) => {
  const org = await server.given.organisation()
  await server.given.occupants(org, 30)
  const { manager } = await server.runningEvent(org)

  const answer = await server.app.inject({
    url: '/api/floor/evacuation/data',
    headers: { ...evil, authorization: `Bearer ${manager.token}` },
  })

  expect(answer.json().pagination.next_page_url).toMatch(/^\/api\/floor\/evacuation\/persons\?/)
  expect(answer.body).not.toContain('evil.test')
})

test('T7 T15 a sign-in accepts no earlier token and sets no cookie', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  const planted = newToken(server.app.secrets.access)
  const signIn = (password: string) =>
    server.app.inject({
      method: login.method,
      url: login.path,
      headers: { authorization: `Bearer ${planted}`, cookie: `access_token=${planted}` },
      payload: { email: warden.email, password },
    })

  const answers = [await signIn('evacuate1'), await signIn('evacuate1'), await signIn('a wrong one')]

  const tokens = answers.map((answer) => answer.json().access_token)
  expect(new Set([planted, ...tokens]).size).toBe(4)
  for (const { headers } of answers) expect(headers).not.toHaveProperty('set-cookie')
  const profile = await server.app.inject({ url: '/api/user', headers: { authorization: `Bearer ${planted}` } })
  expect(profile.statusCode).toBe(401)
})

test.for([
  ['no secret in production', { NODE_ENV: 'production' }],
  ['a secret that can be guessed', { SECRET_KEY: 'short' }],
  ['proxies that are not a number', { TRUST_PROXY: 'true' }],
] as const)('T25 the server does not start with %s', ([, env]) => {
  expect(() => readConfig(env)).toThrow(ConfigError)
})

test("T24 made-up tokens count towards the address's limit, and signed-in people behind it are not affected", async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })
  const org = await server.given.organisation()
  const wardens = await Promise.all(Array.from({ length: 8 }, async () => server.as(await server.given.warden(org))))
  const ask = async (token: string) =>
    (
      await server.app.inject({
        url: '/api/user',
        remoteAddress: '203.0.113.9',
        headers: { authorization: `Bearer ${token}` },
      })
    ).statusCode
  const random = () => randomBytes(32).toString('base64url')
  const madeUp = [random(), newToken(randomBytes(32)), `${wardens[0]?.token}x`, random(), newToken(randomBytes(32))]

  const answers: number[] = []
  for (const token of madeUp) answers.push(await ask(token))

  expect(answers).toEqual([401, 401, 401, 429, 429])
  const start = performance.now()
  expect(await ask(random())).toBe(429)
  expect(performance.now() - start).toBeGreaterThan(190) // a client could retry immediate rejections just as fast
  expect(await Promise.all(wardens.map(({ token }) => ask(token)))).toEqual(wardens.map(() => 200))
})

test('T24 T30 calls before sign-in are not counted by address: one machine cannot use up the limit of its site', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })
  const remoteAddress = '203.0.113.9'
  const health = async () => (await server.app.inject({ url: '/api/health', remoteAddress })).statusCode
  for (let i = 0; i < 3; i++) await health()
  expect(await health()).toBe(429)
  const calls = [login, loginByMobile, verifyLoginByMobile, verifyLoginReportIn, requestPasswordReset, resetPassword]

  for (const { method, path: url } of calls) {
    const ask = () => server.app.inject({ method, url, remoteAddress, payload: {} })
    const answers = await Promise.all(Array.from({ length: 50 }, ask))
    expect(new Set(answers.map(({ statusCode }) => statusCode)), url).toEqual(new Set([422]))
  }
})

test('T24 a token has one limit wherever it is used', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })
  const { token } = await server.as(await server.given.warden(await server.given.organisation()))

  const answers: number[] = []
  for (const last of [1, 2, 3, 4]) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await server.app.inject({ url: '/api/user', remoteAddress: `203.0.113.${last}`, headers })
    answers.push(answer.statusCode)
  }

  expect(answers).toEqual([200, 200, 200, 429])
})

test('T11 T24 IPv6 is counted by network, because one line has too many addresses', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })
  const ask = async (remoteAddress: string) =>
    (await server.app.inject({ url: '/api/health', remoteAddress })).statusCode

  const answers: number[] = []
  for (const last of ['1', '2', 'ffff:1:2:3', '4'])
    answers.push(await ask(`2001:db8:0:1::${last}`.replace('::ffff:', ':ffff:')))

  expect(answers).toEqual([200, 200, 200, 429])
  expect(await ask('2001:db8:0:2::1')).toBe(200)
})

test('T24 slow senders are disconnected', async ({ server }) => {
  const { requestTimeout, headersTimeout, keepAliveTimeout } = server.app.server

  expect(requestTimeout).toBe(30_000)
  expect(headersTimeout).toBeLessThanOrEqual(60_000)
  expect(keepAliveTimeout).toBe(72_000)
})
