import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './platform/settings.ts'

const production = { NODE_ENV: 'production', SECRET_KEY: 'a secret for tests only, long enough' }

test.for([
  [{ REQUESTS_PER_MINUTE: 'many' }, "REQUESTS_PER_MINUTE is 'many': use a whole number from 1."],
  [{ REQUESTS_PER_MINUTE: '0' }, "REQUESTS_PER_MINUTE is '0'"],
  [{ DRAIN_SECONDS: 'ten' }, "DRAIN_SECONDS is 'ten': use a whole number from 0."],
  [{ APP_URL: 'evac.example:8080' }, "APP_URL is 'evac.example:8080': use an address such as"],
  [{ APP_URL: 'https://' }, "APP_URL is 'https://'"],
  [{ APP_URL: 'https://harbour.test/evac' }, 'without a path'],
  [{ DATABASE_URL: 'evac' }, 'DATABASE_URL names no PostgreSQL'],
  [{ SMTP_URL: 'smtp://wardens:100%@mail.harbour.test' }, 'SMTP_URL holds a % that begins no sign: write %25 for it.'],
  [{ SMS_GATEWAY: 'smpp', SMPP_URL: 'smpp://a:100%@c', SMPP_FROM: 'Evac' }, 'SMPP_URL holds a % that'],
  [{ LOG_LEVEL: 'verbose' }, "LOG_LEVEL is 'verbose': use one of fatal, error"],
  [{ DEMO: 'of' }, "DEMO is 'of': use one of auto, off."],
  [production, 'APP_URL is missing'],
] as const)('T25 with a setting that cannot work it does not start, and says which: %o', ([env, message]) => {
  expect(() => readConfig(env)).toThrow(ConfigError)
  expect(() => readConfig(env)).toThrow(message)
})

test('a setting that is there and empty counts as not set, as files of settings have it', () => {
  const names = ['PORT', 'HOST', 'APP_URL', 'LOG_LEVEL', 'DEMO', 'REQUESTS_PER_MINUTE', 'DRAIN_SECONDS', 'TRUST_PROXY']

  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test('the defaults that the documentation names may be said', () => {
  const said = { PORT: '8080', DEMO: 'auto', REQUESTS_PER_MINUTE: '600', DRAIN_SECONDS: '0', TRUST_PROXY: '0' }

  expect(readConfig(said)).toEqual(readConfig({}))
})
