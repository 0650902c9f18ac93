import { expect } from 'vitest'
import { listSimulatedMails } from '#features/texts/calls/simulator.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { ConfigError } from '#server/platform/config/read-setting.ts'
import { sendMails } from '#server/testing/mails.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { waitingMails } from './mail.fixture.ts'

test('AMB-129 a phone of the simulator shows the mails to the person who holds it, and no others', async ({
  server,
}) => {
  const [warden, other] = await waitingMails(server, 2)
  await sendMails(server)
  await sendMails(server)

  const mails = await server.stranger(listSimulatedMails, { query: { mobile: warden?.mobile as string } })

  expect(mails).toEqual([
    {
      id: expect.any(String),
      subject: 'Set a new password for All Wardens',
      body: expect.stringMatching(/reset-password#token=[\w-]{43}\n/),
      received_at: expect.any(String),
    },
  ])
  const others = await server.stranger(listSimulatedMails, { query: { mobile: other?.mobile as string } })
  expect(others.map(({ id }) => id)).not.toContain(mails[0]?.id)
})

test.for([
  ['in production', { production: true }],
  ['with a mail server', { mail: { smtpUrl: 'smtp://localhost' } }],
] as const)('AMB-129 %s there is no simulated mailbox', async ([, over]) => {
  await using server = await startTestServer({ config: { ...testConfig, ...over } })

  const asked = server.stranger(listSimulatedMails, { query: { mobile: '61491000001' } })

  expect(await refused(asked)).toEqual(['not_found'])
})

test('AMB-028 mails go to the simulator in development, nowhere in production, else to SMTP_URL', () => {
  const production = {
    NODE_ENV: 'production',
    SECRET_KEY: 'a secret for tests only, long enough',
    APP_URL: 'https://evac.harbour.test',
  }
  const SMTP_URL = 'smtps://user:pass%20word@mail.harbour.test'

  expect(readConfig({})).toMatchObject({ mail: 'simulator', passwordResetUrl: '' })
  expect(readConfig(production)).toMatchObject({ mail: undefined, passwordResetUrl: '' })
  const APP_URL = 'https://evac.harbour.test'
  for (const env of [{ SMTP_URL }, { ...production, SMTP_URL, APP_URL }])
    expect(readConfig(env).mail).toEqual({ smtpUrl: SMTP_URL })
  expect(readConfig({ ...production, APP_URL }).mailFrom).toBe('All Wardens <no-reply@evac.harbour.test>')
  expect(readConfig({ MAIL_FROM: 'wardens@harbour.test' }).mailFrom).toBe('wardens@harbour.test')
})

test('AMB-028 an SMTP_URL that names no mail server is refused without being repeated: it holds a password', () => {
  for (const SMTP_URL of ['mail.harbour.test', 'https://user:secret@mail.test', 'smtp://', 'smtp:///secret'])
    expect(() => readConfig({ SMTP_URL })).toThrow(ConfigError)
  expect(() => readConfig({ SMTP_URL: 'http://user:secret@mail.test' })).toThrow(/^(?!.*secret)/)
  expect(() => readConfig({ PASSWORD_RESET_URL: 'javascript:alert(1)' })).toThrow(ConfigError)
})
