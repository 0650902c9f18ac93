import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { gatewayNames } from './gateway-settings.ts'
import { ConfigError } from './read-setting.ts'
import { findMisspelt, settingNames } from './setting-names.ts'

const production = { NODE_ENV: 'production', SECRET_KEY: 'a secret for tests only, long enough' }
const openWord = 'to-everybody-who-reaches-this-machine'

test.for([
  [{ REQUESTS_PER_MINUTE: 'many' }, "REQUESTS_PER_MINUTE is 'many': use a whole number from 1."],
  [{ REQUESTS_PER_MINUTE: '0' }, "REQUESTS_PER_MINUTE is '0'"],
  [{ DRAIN_SECONDS: 'ten' }, "DRAIN_SECONDS is 'ten': use a whole number from 0."],
  [{ APP_URL: 'evac.example:8080' }, "APP_URL is 'evac.example:8080': use an address such as"],
  [{ APP_URL: 'https://' }, "APP_URL is 'https://'"],
  [{ APP_URL: 'https://harbour.test/evac' }, 'without a path'],
  [{ DATABASE_URL: 'evac' }, 'DATABASE_URL is not a PostgreSQL address'],
  [
    { SMTP_URL: 'smtp://wardens:100%@mail.harbour.test' },
    'SMTP_URL contains a % without two hexadecimal digits: write %25 for a percent sign.',
  ],
  [{ SMS_GATEWAY: 'smpp', SMPP_URL: 'smpp://a:100%@c', SMPP_FROM: 'Evac' }, 'SMPP_URL contains a % without'],
  [{ LOG_LEVEL: 'verbose' }, "LOG_LEVEL is 'verbose': use one of fatal, error"],
  [{ SECURITY_CONTACT: 'call us' }, "SECURITY_CONTACT is 'call us': use an email address"],
  [{ API_DOCS: 'yes' }, "API_DOCS is 'yes': use one of on, off."],
  [{ OUTGOING_PROXY: 'proxy:3128' }, 'OUTGOING_PROXY is not the address of a proxy'],
  [{ DEMO: 'of' }, "DEMO is 'of': use one of auto, off."],
  [{ DATABASE_URL: 'postgres://evac:p/w@host:x/evac' }, 'DATABASE_URL cannot be read: write / as %2F'],
  [{ NODE_ENV: 'prod' }, "NODE_ENV is 'prod': use one of production,"],
  [{ NODE_ENV: 'Production' }, "NODE_ENV is 'Production'"],
  [{ OPEN_DEMO: 'yes' }, `OPEN_DEMO is 'yes': use one of ${openWord}.`],
  [{ ...production, OPEN_DEMO: openWord }, 'not allowed with NODE_ENV=production'],
  [production, 'APP_URL is missing'],
] as const)('T25 the server does not start with an unusable setting and names it: %o', ([env, message]) => {
  expect(() => readConfig(env)).toThrow(ConfigError)
  expect(() => readConfig(env)).toThrow(message)
})

test.for([
  { APP_URL: 'https://evac.harbour.test' },
  { APP_URL: 'https://localhost.harbour.test' },
  { APP_URL: 'http://192.168.1.5:8080' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.5' },
])('T34 the server does not start without NODE_ENV and with %o, and says what to set', (env) => {
  expect(() => readConfig(env)).toThrow(ConfigError)
  expect(() => readConfig(env)).toThrow('Set NODE_ENV=production for people to use it, or OPEN_DEMO=')
  expect(readConfig({ ...env, OPEN_DEMO: openWord })).toMatchObject({ openDemo: true, demo: true, mail: 'simulator' })
  expect(readConfig({ ...production, APP_URL: 'https://evac.harbour.test', ...env })).toMatchObject({
    openDemo: false,
    demo: false,
    smsGateways: [],
  })
})

test('T34 the server listens on this machine only unless a setting says otherwise', () => {
  expect(readConfig({}).host).toBe('127.0.0.1')
  expect(readConfig({ ...production, APP_URL: 'https://evac.harbour.test' }).host).toBe('0.0.0.0')
  expect(readConfig({ OPEN_DEMO: openWord }).host).toBe('0.0.0.0')
  for (const here of ['localhost', '127.0.0.1', '::1'])
    expect(readConfig({ HOST: here, APP_URL: here === '::1' ? 'http://[::1]:8080' : `http://${here}` }).host).toBe(here)
})

test.for([
  'a'.repeat(64),
  'evacuate'.repeat(8),
  'a good password'.repeat(3),
  '0123456789abcdefghijklmnopqrstuvwxyz',
  '11111111112222222222333333333344444444',
  'short',
])('T25 a guessable secret key is rejected: %s', (SECRET_KEY) => {
  expect(() => readConfig({ SECRET_KEY })).toThrow('SECRET_KEY can be guessed: set it to 32 or more random characters')
})

test('T25 a random secret key is accepted', () => {
  for (const encoding of ['hex', 'base64', 'base64url'] as const)
    for (let nth = 0; nth < 500; nth++) {
      const SECRET_KEY = randomBytes(24).toString(encoding)
      expect(readConfig({ SECRET_KEY }).secretKey).toBe(SECRET_KEY)
    }
})

test('OPS-03 former keys are parted by semicolons, and held to the same rules', () => {
  const [one, two, three] = Array.from({ length: 3 }, () => randomBytes(33).toString('base64')) as [
    string,
    string,
    string,
  ]
  const read = (SECRET_KEY_PREVIOUS: string) => readConfig({ SECRET_KEY: one, SECRET_KEY_PREVIOUS }).formerSecretKeys

  expect(read('')).toEqual([])
  expect(read(`${two}; ${three};`)).toEqual([two, three])
  expect(() => read(`${two};short`)).toThrow('A key in SECRET_KEY_PREVIOUS can be guessed')
  expect(() => read(`${two};${one}`)).toThrow('SECRET_KEY_PREVIOUS names SECRET_KEY itself')
})

test('T25 all unusable settings are reported at once', () => {
  const wrong = {
    ...production,
    SECRET_KEY: 'short',
    SMS_GATEWAY: 'smpp',
    SMTP_URL: 'mail',
    PORT: 'x',
    TRUST_PROXY: 'yes',
  }

  const said = [
    'PORT is',
    'APP_URL is missing',
    'SECRET_KEY can be guessed',
    'SMPP_URL is missing',
    'SMTP_URL is not',
    'TRUST_PROXY is',
  ]
  expect(() => readConfig(wrong)).toThrow(new RegExp(said.join('[^]*')))
})

test("T25 a misspelt setting is reported with the likely one; other programs' variables are not", () => {
  const others = { HOME: '/', HOSTNAME: 'a', PATH: '/bin', LANG: 'C', PGHOST: 'db', NODE_OPTIONS: '', LOGNAME: 'evac' }

  expect(findMisspelt({ ...others, ...production })).toEqual([])
  expect(findMisspelt({ SMTP_ULR: 'x', DATABASE_URI: 'x', MAILFROM: 'x', SMTP_HOST: 'x' })).toEqual([
    'SMTP_ULR is not a setting: did you mean SMTP_URL?',
    'DATABASE_URI is not a setting: did you mean DATABASE_URL?',
    'MAILFROM is not a setting: did you mean MAIL_FROM?',
    'SMTP_HOST is not a setting of Evac: it has no effect.',
  ])
})

test('T25 a start that fails for a missing setting also names the misspelt one', () => {
  const env = { NODE_ENV: 'production', APP_URL: 'https://evac.harbour.test', SECERT_KEY: production.SECRET_KEY }

  expect(() => readConfig(env)).toThrow(
    /^SECRET_KEY is missing.*\nSECERT_KEY is not a setting: did you mean SECRET_KEY\?$/,
  )
})

test('LIVE-08 REDIS_URL is refused with what does its work now', () => {
  expect(() => readConfig({ REDIS_URL: 'redis://secret@redis:6379' })).toThrow(
    /^REDIS_URL is no longer a setting: remove it\. .* there is CENTRIFUGO_URL\.$/,
  )
})

test('LIVE-01 Centrifugo has the address of its API and a key, and perhaps another address for phones', () => {
  const set = { CENTRIFUGO_URL: 'http://127.0.0.1:9000/', CENTRIFUGO_API_KEY: 'key' }
  const publicUrl = 'wss://live.evac.example/connection/websocket'

  expect(readConfig({}).centrifugo).toBeUndefined()
  expect(readConfig(set).centrifugo).toEqual({ url: 'http://127.0.0.1:9000', apiKey: 'key', publicUrl: undefined })
  expect(readConfig({ ...set, CENTRIFUGO_PUBLIC_URL: publicUrl }).centrifugo).toMatchObject({ publicUrl })
})

test.for<[Record<string, string>, RegExp]>([
  [{ CENTRIFUGO_URL: 'http://127.0.0.1:9000' }, /CENTRIFUGO_API_KEY is missing/],
  [{ CENTRIFUGO_URL: '127.0.0.1:9000', CENTRIFUGO_API_KEY: 'secret' }, /CENTRIFUGO_URL is '127/],
  [{ CENTRIFUGO_API_KEY: 'secret' }, /CENTRIFUGO_API_KEY is set without CENTRIFUGO_URL/],
  [
    { CENTRIFUGO_URL: 'http://c', CENTRIFUGO_API_KEY: 'secret', CENTRIFUGO_PUBLIC_URL: 'live.evac.example' },
    /CENTRIFUGO_PUBLIC_URL is 'live/,
  ],
])('LIVE-01 %j is refused, and no secret is repeated', ([env, message]) => {
  expect(() => readConfig(env)).toThrow(message)
  expect(() => readConfig(env)).not.toThrow('secret')
})

test('README lists exactly the settings that are read', () => {
  const asked = new Set<string>()
  const env = { SMS_GATEWAY: gatewayNames.join(), DOCUMENTS_BUCKET: 'b' }
  const asking = new Proxy<NodeJS.ProcessEnv>(env, {
    get: (all, name: string) => {
      asked.add(name)
      return all[name]
    },
  })
  expect(() => readConfig(asking)).toThrow('TWILIO_ACCOUNT_SID')

  // asked for to be refused
  asked.delete('REDIS_URL')
  expect(settingNames).toEqual(expect.arrayContaining([...asked]))
  const table = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  for (const name of settingNames) expect.soft(table, name).toContain(`\`${name}`)
})

test('TRUST-02 .env.example is what the table of settings in README prints', () => {
  const printed = execFileSync(process.execPath, [
    fileURLToPath(new URL('../../../scripts/checks/env-example.mjs', import.meta.url)),
  ])
  expect(readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')).toBe(String(printed))
  for (const name of settingNames) expect.soft(String(printed), name).toContain(`\n#${name}=\n`)
})

test('an empty setting counts as not set, as in env files', () => {
  const names = [
    'NODE_ENV',
    'OPEN_DEMO',
    'PORT',
    'HOST',
    'APP_URL',
    'LOG_LEVEL',
    'DEMO',
    'REQUESTS_PER_MINUTE',
    'DRAIN_SECONDS',
    'TRUST_PROXY',
  ]

  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test('the documented defaults may be set explicitly', () => {
  const said = { PORT: '8080', DEMO: 'auto', REQUESTS_PER_MINUTE: '600', DRAIN_SECONDS: '0', TRUST_PROXY: '0' }

  expect(readConfig(said)).toEqual(readConfig({}))
})

const randomKeys = {
  DIRECTORY_KEY: 'q8Zr2vXw0KjT5nB7mH1cY4sLdE9uGaPf',
  DIRECTORY_NAME_KEY: 'Lw3RxT9bVh5KqNc1Yz7mPd0JsGf4UaEi',
}

test('CELL-02 the directory is read with the key of the cell and the key of the names', () => {
  const { directory } = readConfig({ ...randomKeys, DIRECTORY_URL: 'https://names.evac.test/' })

  const { DIRECTORY_KEY: key, DIRECTORY_NAME_KEY: nameKey } = randomKeys
  expect(directory).toEqual({ url: 'https://names.evac.test', key, nameKey })
  expect(readConfig({}).directory).toBeUndefined()
})

test.for<[NodeJS.ProcessEnv, RegExp]>([
  [{ DIRECTORY_URL: 'https://names.evac.test' }, /DIRECTORY_KEY is missing/],
  [{ ...randomKeys, DIRECTORY_URL: 'http://names.evac.test' }, /DIRECTORY_URL is 'http:.*begins with https:/],
  [{ DIRECTORY_KEY: 'x' }, /DIRECTORY_KEY is set without DIRECTORY_URL/],
  [
    { ...randomKeys, DIRECTORY_URL: 'https://names.evac.test', DIRECTORY_NAME_KEY: 'secret' },
    /^(?!.*'secret).*DIRECTORY_NAME_KEY can be guessed/s,
  ],
  [{ ROLES: 'directory' }, /DIRECTORY_CELLS is missing/],
  [{ DIRECTORY_CELLS: 'https://a.test abc' }, /DIRECTORY_CELLS has 'https:\/\/a.test abc'/],
  [{ ROLES: 'directory,api' }, /ROLES names 'directory'/],
])('CELL-02 %o is refused: %s', ([env, why]) => {
  expect(() => readConfig(env)).toThrow(why)
})

test('CELL-02 in production the directory needs the cells alone', () => {
  const keyHash = 'ab'.repeat(32)
  const config = readConfig({
    NODE_ENV: 'production',
    ROLES: 'directory',
    DIRECTORY_CELLS: `https://a.test/ ${keyHash}; https://b.test ${keyHash}`,
  })

  expect(config.directoryCells).toEqual(['a', 'b'].map((name) => ({ address: `https://${name}.test`, keyHash })))
})
