import { requestPasswordReset } from '@evac/contract/password-reset.ts'
import { login } from '@evac/contract/sign-in.ts'
import { expect } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { mailsTo, sendMails } from '../testing/mails.ts'
import { test } from '../testing/server-test.ts'
import { newToken } from './secrets.ts'

const evil = {
  host: 'evil.test',
  'x-forwarded-host': 'evil.test',
  'x-forwarded-proto': 'https',
  forwarded: 'host=evil.test',
}

test('T16 a link leads to the address of the installation, whatever host a request names', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  const { method, path } = requestPasswordReset

  await server.app.inject({ method, url: path, headers: evil, payload: { email: warden.email } })
  await sendMails(server)

  const [mail] = await mailsTo(server, warden.email)
  expect(mail?.body).toContain(`${server.config.appUrl}/reset-password?token=`)
  expect(mail?.body).not.toContain('evil.test')
})

test('T16 the next page of a list is a path, whatever host a request names', async ({ server }) => {
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

test('T7 T15 a sign-in takes no token that was there before, and sets no cookie', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())
  const planted = newToken()
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
  ['proxies that are no number', { TRUST_PROXY: 'true' }],
] as const)('T25 with %s it does not start', ([, env]) => {
  expect(() => readConfig(env)).toThrow(ConfigError)
})

test('T24 who is slow to ask is not waited for', async ({ server }) => {
  const { requestTimeout, headersTimeout, keepAliveTimeout } = server.app.server

  expect(requestTimeout).toBe(30_000)
  expect(headersTimeout).toBeLessThanOrEqual(60_000)
  expect(keepAliveTimeout).toBe(72_000)
})
