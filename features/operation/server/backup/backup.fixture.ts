import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { test as base } from 'vitest'
import type { Call } from '#kernel/client/client.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { backUp } from './backup.service.ts'
import type { Manifest } from './backup-folder.ts'
import { restore } from './restore.service.ts'

export interface Fixtures {
  folder: string
  /** A server with an organisation in an event, a session and a text that has not left. */
  running: { server: TestServer; email: string; manager: Call }
  target: TestDatabase
}
export const test = base.extend<Fixtures>({
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
    const { chief, manager } = await server.runningEvent(org, { alertToWarden: 'yes', broadcastMessage: 'yes' })
    await use({ server, email: chief.email, manager })
  },
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
  target: async ({}, use) => {
    await using database = await openTestDatabase()
    await use(database)
  },
})

export const at = (folder: string) => join(folder, 'backup')
export const documents = (folder: string) => folderStore(folder)

export async function backUpOf({ server }: Fixtures['running'], folder: string) {
  return backUp(server.database.connection, documents(folder), at(folder))
}
export const restoreInto = ({ connection }: TestDatabase, folder: string, replace = false) =>
  restore({ connection, documents: documents(join(folder, 'restored')), folder: at(folder), replace })

/** By a connection of its own, so that nothing else is at work in the database afterwards. */
export async function rowsIn<T extends object>(
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
export async function contents(database: Pick<TestDatabase, 'connection'>) {
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
    'reach',
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
export function breakTable(folder: string, name: string) {
  const file = join(at(folder), 'tables', `${name}.gz`)
  writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace(/\t/, '\tnot a uuid ')))
  const manifestFile = join(at(folder), 'manifest.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const table = manifest.tables.find((one) => one.name === name)
  if (table) table.sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(manifestFile, JSON.stringify(manifest))
}
