/** @module-tag long */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer as createTlsServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeWall } from '#features/board/calls/walls.ts'
import { boardGiven } from '#features/board/server/board.fixture.ts'
import { noteBackup } from '#features/operation/server/backup/last-backup.ts'
import { localhost } from '#features/texts/server/gateways/localhost.fixture.ts'
import { readConfig } from '../../platform/config/config.ts'
import type { Connection } from '../../platform/db/db.ts'
import { openBucket } from '../../platform/documents/bucket.fixture.ts'
import { givenAdministrator } from '../../testing/administrators.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { openTransaction } from '../../testing/open-transaction.ts'
import { secretKey, startTestServer, withKey } from '../../testing/test-server.ts'
import { checkAddress } from './address.check.ts'
import { checkDatabase } from './database.check.ts'
import { checkDocuments } from './documents.check.ts'
import type { Finding } from './finding.ts'
import { checkKeys } from './keys.check.ts'
import { checkServices } from './services.check.ts'
import { checkSettings } from './settings.check.ts'

vi.setConfig({ testTimeout: 120_000 }) // databases and certificates are made

const lines = (findings: readonly Finding[]) => findings.map(({ state, what }) => `${state}: ${what}`).join('\n')

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'evac-doctor-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Everything that production wants, so that only the deliberate fault is told. */
function production(over: Record<string, string> = {}) {
  const dataDir = over.DATA_DIR ?? folder()
  if (!over.DATA_DIR) noteBackup(dataDir)
  return readConfig({
    NODE_ENV: 'production',
    APP_URL: 'https://evac.test',
    SECRET_KEY: 'q8Zr2vXw0KjT5nB7mH1cY4sLdE9uGaPf',
    DATABASE_URL: 'postgres://evac@db/evac',
    METRICS_TOKEN: 'collector',
    SMTP_URL: 'smtp://mail.test:587',
    SMS_GATEWAY: 'smpp',
    SMPP_URL: 'smpp://a:b@smsc.test:2775',
    SMPP_FROM: 'Evac',
    DATA_DIR: dataDir,
    ...over,
  })
}

test('OPS-02 settings that lack nothing have no fault and no warning', () => {
  expect(lines(checkSettings(production()))).not.toMatch(/^(fault|warning)/m)
})

test.for([
  ['METRICS_TOKEN', { METRICS_TOKEN: '' }, 'fault: METRICS_TOKEN is not set'],
  ['an address without TLS', { APP_URL: 'http://evac.test' }, 'warning: APP_URL is http://evac.test'],
  ['DATABASE_URL', { DATABASE_URL: '' }, 'warning: DATABASE_URL is not set'],
  ['texts', { SMS_GATEWAY: '' }, 'warning: SMS_GATEWAY is not set'],
  ['mails', { SMTP_URL: '' }, 'warning: SMTP_URL is not set'],
  ['a misspelt setting', { SMTP_HOST: 'mail.test' }, 'warning: SMTP_HOST is not a setting of Evac'],
] as const)('OPS-02 the doctor names %s', ([, over, wanted]) => {
  expect(lines(checkSettings(production(over)))).toContain(wanted)
})

test('OPS-02 the doctor names a backup that is older than 26 hours, and that there is none', () => {
  const dataDir = folder()
  const told = () => lines(checkSettings(production({ DATA_DIR: dataDir })))
  expect(told()).toContain('warning: No `npm run backup` has ended')
  noteBackup(dataDir)
  expect(told()).toContain('good: The last backup is 0 hours old')
  const old = Date.now() / 1000 - 27 * 3600
  utimesSync(join(dataDir, 'last-backup'), old, old)
  expect(told()).toContain('fault: The last backup is 27 hours old')
})

test('OPS-02 the doctor names a DATA_DIR that is a file, that others may read, and that it may not write', () => {
  const [dataDir, file] = [folder(), join(folder(), 'file')]
  writeFileSync(file, '')
  expect(lines(checkSettings(production({ DATA_DIR: file })))).toContain(`fault: DATA_DIR ${file} is not a folder`)
  chmodSync(dataDir, 0o755)
  expect(lines(checkSettings(production({ DATA_DIR: dataDir })))).toContain(`warning: ${dataDir} is readable by others`)

  // root may write everywhere
  const program = `const { checkSettings } = await import(${JSON.stringify(join(import.meta.dirname, 'settings.check.ts'))})
    console.log(JSON.stringify(checkSettings({ production: false, misspelt: [], dataDir: ${JSON.stringify(dataDir)} })))`
  chmodSync(dataDir, 0o555)
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    ...nobody,
  })
  expect(lines(JSON.parse(stdout))).toContain(`fault: DATA_DIR ${dataDir} is not writable`)
})

test('OPS-02 the doctor names a bucket that is unreachable, refuses the key, or fails; and leaves nothing in a good one', async () => {
  await using bucket = await openBucket('right')
  const told = async (secret: string, endpoint = bucket.endpoint) => {
    vi.stubEnv('AWS_REGION', 'us-east-1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret)
    return lines([await checkDocuments({ dataDir: '/nowhere', documentsBucket: { name: 'documents', endpoint } })])
  }
  expect(await told('right')).toBe(`good: Documents can be stored in the bucket documents at ${bucket.endpoint}`)
  expect(bucket.objects.size).toBe(0)
  expect(await told('wrong')).toMatch(
    /^fault: Documents cannot be stored in the bucket documents at .*SignatureDoesNotMatch/,
  )
  expect(await told('right', 'http://127.0.0.1:1')).toMatch(
    /^fault: Documents cannot be stored .*127\.0\.0\.1:1: .*ECONNREFUSED/,
  )
  expect(lines([await checkDocuments({ dataDir: '/dev/null', documentsBucket: undefined })])).toMatch(
    /^fault: Documents cannot be stored in \/dev\/null: ENOTDIR/,
  )
})

test('OPS-02 the doctor names the mail server with host and cause', async () => {
  await using database = await openTestDatabase()
  const config = { ...production({ SMTP_URL: 'smtp://user:hidden@127.0.0.1:1' }), smsGateways: [] }
  const jobs = { enqueue: () => Promise.reject(new Error('none')) }
  const told = lines(await checkServices(database.system.db, jobs, config, {}))
  expect(told).toMatch(/^fault: mail \(127\.0\.0\.1:1\) does not work: mail server: \w+, .*ECONNREFUSED/m)
  expect(told).not.toContain('hidden')
})

/** A server that answers like this, at its address. */
async function at(server: Server | ReturnType<typeof createPlainServer>, scheme: 'http' | 'https'): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `${scheme}://localhost:${(server.address() as AddressInfo).port}`
}

test('OPS-02 the doctor names a certificate that no one trusts, and one that ends within 14 days', async () => {
  const evac = (pair: { key: string; cert: string }) =>
    createTlsServer(pair, (_, reply) => reply.end(JSON.stringify({ ok: true })))
  expect(lines(await checkAddress(await at(evac(localhost), 'https'), 1))).toMatch(
    /^fault: The certificate of localhost is not trusted \(.*SELF_SIGNED.*\): phones refuse it[^\n]*$/,
  )

  const made = spawnSync(
    'openssl',
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 5 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout - -out -'.split(
      ' ',
    ),
    { encoding: 'utf8' },
  ).stdout
  const usual = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(usual))
  setDefaultCACertificates([made, localhost.cert])
  const told = lines(await checkAddress(await at(evac({ key: made, cert: made }), 'https'), 1))
  expect(told).toBe('fault: The certificate of localhost ends in 4 days: renew it')
  expect(lines(await checkAddress(await at(evac(localhost), 'https'), 1))).toMatch(
    /^good: The certificate of localhost is trusted/,
  )
})

test('OPS-02 the doctor names a server that is not Evac, one that is not ready, public metrics and a proxy that is not trusted', async () => {
  const answering = (status: number, body: string) => createPlainServer((_, reply) => reply.writeHead(status).end(body))
  expect(lines(await checkAddress(await at(answering(200, '<html>'), 'http'), 1))).toMatch(/^fault: .* is not Evac/)
  expect(lines(await checkAddress(await at(answering(503, '{"ok":false}'), 'http'), 1))).toMatch(
    /^fault: .* is not ready \(503\)/,
  )
  expect(lines(await checkAddress('http://127.0.0.1:1', 1))).toMatch(
    /^warning: Nothing answers at http:\/\/127\.0\.0\.1:1/,
  )
  const open = (await at(answering(200, '{"ok":true}'), 'http')).replace('localhost', '[::ffff:127.0.0.1]')
  const told = lines(await checkAddress(open, 0))
  expect(told).toContain('fault: Live updates do not work')
  expect(told).toMatch(/fault: .*\/metrics is public/)
  expect(told).toContain('warning: TRUST_PROXY is not set')
})

test('OPS-02 the doctor names a clock that is more than 2 s off, and a database that takes no writes or does not answer', async () => {
  await using database = await openTestDatabase()
  const told = async (connection: Connection = database.connection) =>
    lines(await checkDatabase(connection, { databaseUrl: 'x' }))
  expect(await told()).not.toMatch(/^fault/m)
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + 60_000) // it stands still from now on
  expect(await told()).toMatch(/^fault: Its clock and that of this machine differ by \d+ seconds: run NTP on both$/m)
  vi.useRealTimers()

  const { database: name } = database.connection
  await database.owner.pg.query(`alter database ${name} set default_transaction_read_only = on`)
  expect(await told()).toMatch(/^fault: .*(accepts no writes|read-only)/m)
  expect(await told({ ...database.connection, port: 1 })).toMatch(/^fault: It cannot be reached/)
})

test.for(['open', 'prepared'] as const)(
  'OPS-02 FEED-04 the doctor names a transaction that holds live updates back, and what ends it: %s',
  async (how) => {
    await using database = await openTestDatabase()
    await using _ = await openTransaction(undefined, how)
    await using own = await openTransaction(database.connection.database, how)
    const told = async () => lines(await checkDatabase(database.connection, { databaseUrl: 'x' }))
    const [began, soon] = [Date.now(), await told()]
    // a loaded machine may have looked when the 5 s were over
    if (Date.now() - began < 3_000) expect(soon).not.toContain('holds live updates back')

    await expect
      .poll(told, { timeout: 15_000, interval: 1_000 })
      .toMatch(
        how === 'open'
          ? new RegExp(
              `fault: A transaction in ${database.connection.database} \\(pid ${own.pid}\\) has been open for (over )?\\d+ s and holds live updates back: select pg_terminate_backend\\(${own.pid}\\)`,
            )
          : /\(prepared as [\w-]+\) has been open for \d+ s and holds live updates back: rollback prepared '[\w-]+'/,
      )
  },
)

test('OPS-02 OPS-03 the doctor names second factors that no key opens, and what hangs on a former key', async () => {
  await using server = await startTestServer()
  const other = 'q8Zr2vXw0KjT5nB7mH1cY4sLdE9uGaPf'
  await givenAdministrator(server, await server.given.organisation())
  const { manager, org } = await boardGiven(server)
  await manager(makeWall, { body: { site: org.siteUid, name: 'Lobby', place: 'team', days: 90 } }, withKey())
  const told = async (key: string, formerSecretKeys: string[] = []) =>
    lines(await checkKeys(server.db, { secretKey: key, formerSecretKeys, dataDir: '/nowhere' }))

  expect(await told(secretKey)).toBe('')
  expect(await told(other)).toMatch(/^fault: 1 second factor cannot be read with SECRET_KEY: name the key/)
  const hanging = await told(other, [secretKey])
  expect(hanging).toContain('note: SECRET_KEY_PREVIOUS is still needed for 1 second factor,')
  expect(hanging).toContain('note: SECRET_KEY_PREVIOUS is still needed for 1 link of wall screens:')
  expect(await told(secretKey, [other])).toMatch(/^good: Nothing that is stored needs SECRET_KEY_PREVIOUS/)
})

test('OPS-02 the doctor notes that an event is running', async () => {
  await using server = await startTestServer()
  const told = async () => lines(await checkDatabase(server.database.connection, { databaseUrl: 'x' }))
  expect(await told()).not.toContain('running')
  await server.runningEvent(await server.given.organisation())
  expect(await told()).toContain('note: An event is running: change nothing now')
})
