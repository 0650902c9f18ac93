import { expect } from 'vitest'
import { loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { ConfigError } from '#server/platform/config/read-setting.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { listSimulatedPhones, listSimulatedTexts } from '../calls/simulator.ts'

test('AMB-129 a phone of the simulator is found by name, and by its number as people write it', async ({ server }) => {
  const org = await server.given.organisation()
  await server.given.warden(org, { firstName: 'Zora', mobile: '61491570156' })
  const phone = { mobile: '61491570156', name: expect.stringMatching(/^Zora /), texts: 0, ringing: false }

  for (const search of ['zora', 'ORA', '0491 570 156', '+61 491 570', '61491570156', '570156'])
    expect(await server.stranger(listSimulatedPhones, { query: { search } }), search).toEqual([phone])
  for (const search of ['zorra', '0491 570 157', '%', '_'])
    expect(await server.stranger(listSimulatedPhones, { query: { search } }), search).toEqual([])
})

test('AMB-129 one number is one phone, whoever holds it', async ({ server }) => {
  const [here, there] = [await server.given.organisation(), await server.given.organisation()]
  const { accountUid, mobile } = await server.given.warden(here, { firstName: 'Yara' })
  await server.given.warden(there, { firstName: 'Yara', accountUid, mobile })

  const phones = await server.stranger(listSimulatedPhones, { query: { search: 'yara' } })

  expect(phones).toHaveLength(1)
})

test('AMB-129 the phone with the newest text comes first, and shows its texts, newest first', async ({ server }) => {
  const { mobile } = await server.given.warden(await server.given.organisation(), { firstName: 'Xenia' })
  const phone = mobile as string
  for (const _ of ['one', 'two']) {
    await server.stranger(loginByMobile, { body: { phone } })
    await sendTexts(server)
  }

  const [first] = await server.stranger(listSimulatedPhones, { query: {} })
  const texts = await server.stranger(listSimulatedTexts, { query: { mobile: phone } })

  expect(first).toMatchObject({ mobile, texts: 2 })
  expect(texts).toHaveLength(2)
  expect(texts[0]?.body).toMatch(/^All Wardens sign-in link/)
  expect(Date.parse(texts[0]?.received_at ?? '')).toBeGreaterThan(Date.parse(texts[1]?.received_at ?? ''))
})

test.for([
  ['in production', { production: true }],
  ['with another way out for texts', { smsGateways: [] }],
] as const)('T10 %s there is no simulator', async ([, over]) => {
  await using server = await startTestServer({ config: { ...testConfig, ...over } })

  await expect(server.stranger(listSimulatedPhones, { query: {} })).rejects.toMatchObject({ code: 'not_found' })
  const texts = server.stranger(listSimulatedTexts, { query: { mobile: '61491000001' } })
  await expect(texts).rejects.toMatchObject({ code: 'not_found' })
})

test('T34 the simulator is for this machine alone, also behind a proxy on it, unless a setting opens it', async () => {
  const openDemo = { ...testConfig, openDemo: true }
  const behindProxy = { ...testConfig, trustedProxies: 1 }
  const from = '198.51.100.7'
  const asked = async (config: typeof testConfig, headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
    await using server = await startTestServer({ config })
    const urls = ['/api/simulator/phones', '/api/simulator/mails?mobile=61491000001']
    return await Promise.all(
      urls.map(async (url) => (await server.app.inject({ url, headers, remoteAddress })).statusCode),
    )
  }

  expect(await asked(testConfig, {})).toEqual([200, 200])
  expect(await asked(testConfig, {}, from)).toEqual([404, 404])
  expect(await asked(testConfig, { 'x-forwarded-for': from })).toEqual([404, 404])
  expect(await asked(testConfig, { via: '1.1 proxy' })).toEqual([404, 404])
  expect(await asked(behindProxy, { 'x-forwarded-for': from })).toEqual([404, 404])
  expect(await asked(behindProxy, { 'x-forwarded-for': '127.0.0.1' })).toEqual([200, 200])
  expect(await asked(openDemo, {}, from)).toEqual([200, 200])
})

test('AMB-129 T10 the simulator is the way out in development, and refused in production', () => {
  const production = {
    NODE_ENV: 'production',
    SECRET_KEY: 'a secret for tests only, long enough',
    APP_URL: 'https://evac.harbour.test',
  }

  expect(readConfig({}).smsGateways).toEqual(['simulator'])
  expect(readConfig(production).smsGateways).toEqual([])
  expect(() => readConfig({ ...production, SMS_GATEWAY: 'simulator' })).toThrow(ConfigError)
  expect(() => readConfig({ SMS_GATEWAY: 'pigeon' })).toThrow(ConfigError)
})
