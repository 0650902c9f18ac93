import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { test as base, expect } from 'vitest'
import { folderStore } from '../../platform/document-folder.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { backUp } from './backup.service.ts'
import type { Manifest } from './backup-folder.ts'
import { restore } from './restore.service.ts'

interface Fixtures {
  folder: string
  /** A server with an organisation in an event, a session and a text that has not left. */
  running: { server: TestServer; email: string }
  target: TestDatabase
}
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
  folder: async ({}, use) => {
    const path = mkdtempSync(join(tmpdir(), 'evac-backup-'))
    await use(path)
    rmSync(path, { recursive: true })
  },
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
  running: async ({}, use) => {
    await using server = await startTestServer()
    const org = await server.given.organisation()
    await server.given.warden(org)
    const { chief } = await server.runningEvent(org, { alertToWarden: 'yes', broadcastMessage: 'yes' })
    await use({ server, email: chief.email })
  },
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
  target: async ({}, use) => {
    await using database = await openTestDatabase()
    await use(database)
  },
})

const at = (folder: string) => join(folder, 'backup')
const documents = (folder: string) => folderStore(folder)

async function backUpOf({ server }: Fixtures['running'], folder: string) {
  return backUp(server.database.connection, documents(folder), at(folder))
}
const restoreInto = ({ connection }: TestDatabase, folder: string, replace = false) =>
  restore({ connection, documents: documents(join(folder, 'restored')), folder: at(folder), replace })

/** By a connection of its own, so that nothing else is at work in the database afterwards. */
async function rowsIn<T extends object>(
  { connection }: Pick<TestDatabase, 'connection'>,
  statement: string,
): Promise<T[]> {
  const client = new pg.Client(connection)
  await client.connect()
  return client
    .query<T>(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** Content of every table but those that a restore voids on purpose, whatever the order of rows. */
async function contents(database: Pick<TestDatabase, 'connection'>) {
  const voided = [
    'session',
    'report_in_link',
    'idempotency',
    'sms',
    'feed_epoch',
    'mobile_token',
    'throttle',
    'broadcast',
    'mail',
  ]
  const tables = await rowsIn<{ name: string }>(
    database,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not like 'kysely%' order by 1`,
  )
  const digests: Record<string, string | null> = {}
  for (const { name } of tables.filter((table) => !voided.includes(table.name))) {
    const digest = `select md5(string_agg(t::text, ' ' order by t::text)) as digest from "${name}" t`
    const [row] = await rowsIn<{ digest: string | null }>(database, digest)
    digests[name] = row?.digest ?? null
  }
  return digests
}

/** A backup that is whole, with a row in it that the database will not take. */
function breakTable(folder: string, name: string) {
  const file = join(at(folder), 'tables', `${name}.gz`)
  writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace(/\t/, '\tnot a uuid ')))
  const manifestFile = join(at(folder), 'manifest.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const table = manifest.tables.find((one) => one.name === name)
  if (table) table.sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(manifestFile, JSON.stringify(manifest))
}

test('F19 every row of a running event comes back as it was, and the next one fits', async ({
  running,
  folder,
  target,
}) => {
  const manifest = await backUpOf(running, folder)
  const { aside } = await restoreInto(target, folder)

  expect(aside).toBeUndefined()
  expect(await contents(target)).toEqual(await contents(running.server.database))
  expect(manifest.tables.find(({ name }) => name === 'journal')?.rows).toBeGreaterThan(0)
  await rowsIn(
    target,
    `insert into journal (client_uid, action, subject_type, subject_uid)
     select client_uid, action, subject_type, subject_uid from journal limit 1`,
  )
})

test('F19 T26 who was signed in signs in again; old links and texts are void', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  const { heldTexts } = await restoreInto(target, folder)

  expect(heldTexts).toBeGreaterThan(0)
  const open = await rowsIn(
    target,
    `select (select count(*) from session where expires_at > now()) as sessions,
       (select count(*) from report_in_link where expires_at > now()) as links,
       (select count(*) from sms where status = 'queued') as queued,
       (select count(*) from broadcast where finished_at is null) as unwritten, (select count(*) from feed_epoch where system_identifier <> 'restored') as feeds`,
  )
  expect(open).toEqual([{ sessions: 0, links: 0, queued: 0, unwritten: 0, feeds: 0 }])
})

test('F19 the product starts on what was restored, and a password signs in', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  await restoreInto(target, folder)
  await using server = await startTestServer({ db: target.tenant.db, system: target.system.db })

  expect(await server.signIn(running.email)).toMatchObject({ token_type: 'Bearer' })
})

async function addPlan({ server }: Fixtures['running'], folder: string) {
  const plan = join(folder, 'plan.pdf')
  writeFileSync(plan, 'a plan')
  await documents(folder).keep('plan-1.pdf', plan)
  await rowsIn(
    server.database,
    `insert into document (client_uid, code, name, storage_key, site_uid)
     select client_uid, 'plan', 'Plan', 'plan-1.pdf', uid from site limit 1`,
  )
}

test('F19 files of documents come back with their rows', async ({ running, folder, target }) => {
  await addPlan(running, folder)
  await backUpOf(running, folder)
  await restoreInto(target, folder)

  expect(readFileSync(join(folder, 'restored', 'documents', 'plan-1.pdf'), 'utf8')).toBe('a plan')
})

test('F19 indexes and what they need are as they were, also after a restore that failed', async ({
  running,
  folder,
  target,
}) => {
  const indexes = async (database: TestDatabase) =>
    rowsIn(
      database,
      `select indexname as name from pg_indexes where schemaname = 'public' union
       select extname from pg_extension where extnamespace = 'public'::regnamespace order by 1`,
    )
  const before = await indexes(target)
  await backUpOf(running, folder)
  breakTable(folder, 'person')
  await expect(restoreInto(target, folder)).rejects.toThrow()
  expect(await indexes(target)).toEqual(before)
  rmSync(at(folder), { recursive: true })
  await backUpOf(running, folder)
  await restoreInto(target, folder)

  expect(await indexes(target)).toEqual(before)
})

test('F20 a damaged or incomplete backup is refused before anything is touched', async ({
  running,
  folder,
  target,
}) => {
  await backUpOf(running, folder)
  appendFileSync(join(at(folder), 'tables', 'person.gz'), 'x')
  await expect(restoreInto(target, folder)).rejects.toThrow('The backup is damaged: tables/person.gz has changed')
  rmSync(join(at(folder), 'tables', 'person.gz'))
  await expect(restoreInto(target, folder)).rejects.toThrow('The backup is not whole: tables/person.gz is missing.')

  expect(await rowsIn(target, 'select from client')).toEqual([])
})

test('F20 loading that fails half-way leaves the database as it was', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  breakTable(folder, 'person')
  const before = await contents(target)

  await expect(restoreInto(target, folder)).rejects.toThrow()
  expect(await contents(target)).toEqual(before)
})

test('F20 documents that cannot be kept stop a restore before the database is touched', async ({
  running,
  folder,
  target,
}) => {
  await addPlan(running, folder)
  await backUpOf(running, folder)
  await rowsIn(target, "insert into client (code, name) values ('OLD', 'Old organisation')")
  const before = await contents(target)
  writeFileSync(join(folder, 'restored'), 'no folder')

  await expect(restoreInto(target, folder, true)).rejects.toThrow()
  expect(await contents(target)).toEqual(before)
})

test('F19 a database with data is not overwritten; on demand its data is put aside', async ({
  running,
  folder,
  target,
}) => {
  await backUpOf(running, folder)
  await rowsIn(target, "insert into client (code, name) values ('OLD', 'Old organisation')")

  await expect(restoreInto(target, folder)).rejects.toThrow('The database holds data.')
  const { aside } = await restoreInto(target, folder, true)
  expect(await contents(target)).toEqual(await contents(running.server.database))
  expect(await rowsIn(target, `select code from "${aside}".client`)).toEqual([{ code: 'OLD' }])
})

test('F19 nothing is restored under a running product', async ({ running, folder }) => {
  await backUpOf(running, folder)

  await expect(restoreInto(running.server.database, folder, true)).rejects.toThrow('stop Evac first')
})

test('F20 a backup of a newer version, or something else, is refused in words', async ({ running, folder, target }) => {
  const manifest = await backUpOf(running, folder)
  const file = join(at(folder), 'manifest.json')
  writeFileSync(file, JSON.stringify({ ...manifest, migrations: [...manifest.migrations, '9999-later'] }))
  await expect(restoreInto(target, folder)).rejects.toThrow('The backup is of a newer version of Evac (9999-later)')
  writeFileSync(file, '{}')
  await expect(restoreInto(target, folder)).rejects.toThrow('is not a backup that this version of Evac can read')
  rmSync(file)

  await expect(restoreInto(target, folder)).rejects.toThrow('is no backup')
})

test('T26 every table that holds the digest of a token is voided', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  await restoreInto(target, folder)
  const holders = await rowsIn<{ table: string }>(
    target,
    `select table_name as table from information_schema.columns
     where table_schema = 'public' and column_name like '%token_hash%' order by 1`,
  )

  for (const { table } of holders) {
    expect(await rowsIn(target, `select from "${table}" where expires_at > now()`), table).toEqual([])
  }
  expect(holders.length).toBeGreaterThan(1)
})
