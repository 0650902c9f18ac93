import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { ConfigError } from '#server/platform/config/read-setting.ts'
import { letTimePass, rows, states, waitingTexts } from '../sms.fixture.ts'
import { claimTexts } from '../sms.queries.ts'
import { accountSid, publicUrl, sign, startServerWith, startTwilio } from './twilio.fixture.ts'

test('EVENT-05 a text goes to Twilio with number, sender, validity and where to report', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 1)
  const [text] = await rows(server)

  await server.send()

  const query = encodeURIComponent(`${text?.clientUid}/${text?.uid}`)
  expect(twilio.messages).toEqual([
    {
      To: `+${text?.toMobile}`,
      From: '+61491570006',
      Body: 'Evacuate now.',
      ValidityPeriod: expect.stringMatching(/^8\d\d$/),
      StatusCallback: `${publicUrl}/api/sms/twilio/status?text=${query}`,
    },
  ])
  expect(await rows(server)).toMatchObject([
    { status: 'handed_over', gateway: 'twilio', providerId: twilio.sidOf(1), reason: null },
  ])
})

test('EVENT-05 what Twilio reports becomes the state: delivered, or failed with a sentence', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 3)
  await server.send()

  expect((await server.report(1, 'sent')).status).toBe(200)
  expect(await states(server)).toEqual({ handed_over: 3 })
  await server.report(1, 'delivered')
  await server.report(2, 'undelivered', { ErrorCode: '30005' })
  await server.report(3, 'failed', { ErrorCode: '39999' })

  const told = (await rows(server)).map(({ providerId, status, reason }) => [providerId, status, reason])
  expect(told.sort()).toEqual([
    [twilio.sidOf(1), 'delivered', null],
    [twilio.sidOf(2), 'failed', 'The number is not in service.'],
    [twilio.sidOf(3), 'failed', 'The provider could not deliver it (Twilio error 39999).'],
  ])
})

test('F11 T19 a replayed report, a late one and one that contradicts change nothing', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 1)
  await server.send()
  await server.report(1, 'delivered')
  const before = await rows(server)

  for (const status of ['delivered', 'sent', 'queued', 'undelivered', 'failed'])
    expect((await server.report(1, status, { ErrorCode: '30003' })).status).toBe(200)

  expect(await rows(server)).toEqual(before)
})

test('F11 twenty copies of a report at once move the text once', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 1)
  await server.send()

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => server.report(1, i % 2 ? 'undelivered' : 'delivered')),
  )

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const [text] = await rows(server)
  const parts = await server.db.selectFrom('smsPart').select(['state']).execute()
  expect(parts).toEqual([{ state: text?.status }])
})

test('T19 without the right signature a report is 403, and nothing happens', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 2)
  await server.send()
  const url = twilio.messages[0]?.StatusCallback as string
  const otherUrl = twilio.messages[1]?.StatusCallback as string
  const form = { AccountSid: accountSid, MessageSid: twilio.sidOf(1), MessageStatus: 'failed' }

  const wrong = [
    await server.post(url, form, { signature: null }),
    await server.post(url, form, { signature: '' }),
    await server.post(url, form, { signature: 'bm90IGl0' }),
    // of another text, of other fields, of the address behind the proxy
    await server.post(url, form, { signedUrl: otherUrl }),
    await server.post(url, form, { signature: sign(url, { ...form, MessageStatus: 'delivered' }) }),
    await server.post(url, form, { signedUrl: url.replace(publicUrl, 'http://10.0.0.7:8080') }),
  ]

  expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 403))
  expect(await states(server)).toEqual({ handed_over: 2 })
  expect(await server.db.selectFrom('smsPart').selectAll().where('state', 'is not', null).execute()).toEqual([])
})

test('T19 with Twilio not set up its addresses take nothing', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  Object.assign(server.app.config, { twilio: undefined })
  const form = { MessageSid: 'SM1', From: '+61491570156', Body: 'safe' }

  expect((await server.post(`${publicUrl}/api/sms/twilio/inbound`, form)).status).toBe(403)
})

test('F11 a burst of two thousand reports is answered whole; a stranger is held back', {
  timeout: 60_000,
}, async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 20)
  await server.send()

  const answers = new Set<number>()
  for (let i = 0; i < 100; i++)
    for (const { status } of await Promise.all(twilio.messages.map((_, nth) => server.report(nth + 1, 'delivered'))))
      answers.add(status)
  expect([...answers]).toEqual([200])

  const url = `${publicUrl}/api/sms/twilio/inbound`
  const strangers = []
  for (let i = 0; i < 70; i++) strangers.push((await server.post(url, {}, { signature: 'x' })).status)
  expect(strangers.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 403))
  expect(strangers.slice(60)).toEqual(Array.from({ length: 10 }, () => 429))
})

test('F9 what Twilio will never take has failed, the number is not tried again', async () => {
  await using twilio = await startTwilio((_, nth) => ({ status: 400, code: [21211, 21614, 21610][nth - 1] as number }))
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 3)

  await server.send()
  await letTimePass(server)
  await server.send()

  expect(twilio.asked()).toBe(3)
  expect((await rows(server)).map(({ status, reason }) => `${status}: ${reason}`).sort()).toEqual([
    'failed: The mobile number is not valid.',
    'failed: The number is not a mobile number.',
    'failed: The receiver has opted out of texts from this number.',
  ])
})

test.for([
  ['is busy', { status: 429, code: 20429 }],
  ['has a fault', { status: 500, code: 20500 }],
  ['does not know our token', { status: 401, code: 20003 }],
  ['cuts the line', 'cut' as const],
] as const)('F9 while Twilio %s the text waits for another try', async ([, trouble]) => {
  await using twilio = await startTwilio((_, nth) => (nth === 1 ? trouble : undefined))
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 1)

  await server.send()
  expect(await states(server)).toEqual({ queued: 1 })
  await letTimePass(server)
  await server.send()

  expect(await states(server)).toEqual({ handed_over: 1 })
  expect(String(server.troubles[0])).toContain('Twilio does not accept texts at the moment')
  expect(JSON.stringify(server.troubles.map((error) => [error, String(error)]))).not.toMatch(/6149/)
})

test('F3 what Twilio had taken when the worker was killed is not handed over again once it reports', async () => {
  await using twilio = await startTwilio()
  await using server = await startServerWith(twilio)
  await waitingTexts(server, 1)
  await server.send()
  await server.db.updateTable('sms').set({ status: 'queued', gateway: null, providerId: null }).execute()
  await server.db.deleteFrom('smsPart').execute()
  await claimTexts(server.db, 50)

  await server.report(1, 'sent')
  await letTimePass(server)
  await server.send()
  await server.report(1, 'undelivered', { ErrorCode: '30003' })

  expect(twilio.messages).toHaveLength(1)
  expect(await rows(server)).toMatchObject([{ status: 'failed', reason: 'The phone is switched off or out of reach.' }])
})

const twilioEnv = {
  NODE_ENV: 'production',
  SECRET_KEY: 'a secret for tests only, long enough',
  SMS_GATEWAY: 'twilio',
  APP_URL: publicUrl,
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+61491570006',
}
test.for([
  [{ TWILIO_ACCOUNT_SID: '' }, 'TWILIO_ACCOUNT_SID is missing'],
  [{ TWILIO_ACCOUNT_SID: 'me' }, 'TWILIO_ACCOUNT_SID is not an account SID'],
  [{ TWILIO_AUTH_TOKEN: '' }, 'TWILIO_AUTH_TOKEN is missing'],
  [{ TWILIO_FROM: '' }, 'TWILIO_FROM is missing'],
  [{ APP_URL: 'http://localhost:8080' }, 'APP_URL is http://localhost:8080: Twilio sends its reports there'],
  [{ SMS_GATEWAY: 'twilio,twilio' }, 'name each gateway once'],
] as const)('a setting of Twilio that cannot work is said in a sentence: %o', ([over, message]) => {
  expect(() => readConfig({ ...twilioEnv, ...over })).toThrow(ConfigError)
  expect(() => readConfig({ ...twilioEnv, ...over })).toThrow(message)
  expect(readConfig(twilioEnv).twilio).toMatchObject({ accountSid, from: '+61491570006' })
})
