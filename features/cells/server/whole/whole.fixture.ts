import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import pg from 'pg'
import type { ClientUid } from '#kernel/ids.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { fullOrganisation } from '#server/security/full-organisation.fixture.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { testsWithServer } from '#server/testing/server-test.ts'
import { secretKey, type TestServer } from '#server/testing/test-server.ts'
import { listTables } from './catalogue.queries.ts'
import { exportWhole } from './export-whole.service.ts'
import { type Asked, importWhole } from './import-whole.service.ts'
import { wholeTables } from './whole-tables.queries.ts'

export const test = testsWithServer()
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'evac-whole-test-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    return folder
  })
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
  .extend('target', async ({}, { onCleanup }) => {
    const database = await openTestDatabase()
    onCleanup(() => database[Symbol.asyncDispose]())
    return database
  })

export const otherKey = 'the secret of another installation'
export const passphrase = 'five lamps on the eastern quay'
export const storeOf = (folder: string, name: 'old' | 'new') => folderStore(join(folder, name))

export async function codeOf({ db }: Pick<TestServer, 'db'>, clientUid: ClientUid): Promise<string> {
  const { code } = await db.selectFrom('client').select('code').where('uid', '=', clientUid).executeTakeFirstOrThrow()
  return code
}

/** Exports the organisation of the server into `name` of the folder. */
export async function exported(
  server: TestServer,
  folder: string,
  clientUid: ClientUid,
  over: { passphrase?: string } = {},
) {
  const path = join(folder, `${clientUid}.evac`)
  const exporting = {
    connection: server.database.connection,
    documents: storeOf(folder, 'old'),
    secrets: deriveSecrets(secretKey),
    host: 'old.evac.test',
  }
  return { path, ...(await exportWhole(exporting, { code: await codeOf(server, clientUid), path, ...over })) }
}

/** Imports into the other installation. */
export const imported = (target: TestDatabase, folder: string, asked: Asked, key = otherKey) =>
  importWhole({ connection: target.connection, documents: storeOf(folder, 'new'), secrets: deriveSecrets(key) }, asked)

/** Changes the lines of a file, and counts and digests it again, as someone who wants to deceive would. */
export function rewrite(path: string, change: (lines: string[]) => string[]): void {
  const lines = zstdDecompressSync(readFileSync(path)).toString().split('\n').slice(0, -1)
  const changed = change(lines.slice(0, -1))
  const digest = createHash('sha256')
    .update(changed.map((line) => `${line}\n`).join(''))
    .digest('hex')
  const footer = { ...JSON.parse(lines.at(-1) ?? ''), sha256: digest }
  writeFileSync(path, zstdCompressSync([...changed, JSON.stringify(footer), ''].join('\n')))
}

/** The rows of the organisation by table, as texts in order. */
export async function rowsOf({ owner }: TestDatabase, table: string, condition: string): Promise<string[]> {
  const { rows } = await owner.pg.query<{ row: string }>(
    `select (to_jsonb(t) - array['token_hash', 'expires_at', 'revoked_at', 'xid', 'epoch', 'read_epoch', 'last_xid', 'last_position',
       'moved_from', 'mobile_token_uid', 'secret'])::text as row from "${table}" t where ${condition} order by 1`,
  )
  return rows.map(({ row }) => row)
}

/** All tables of an organisation, and the conditions that find its rows. */
export async function tablesOf({ connection }: TestDatabase, clientUid: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return wholeTables(await listTables(client), clientUid)
  } finally {
    await client.end()
  }
}

export async function endEvents({ db }: TestServer, clientUid: ClientUid) {
  await db.updateTable('event').set({ endedAt: new Date() }).where('clientUid', '=', clientUid).execute()
}

/** An organisation with a row in every table, whose event has ended. */
export async function ended(server: TestServer) {
  const full = await fullOrganisation(server)
  await endEvents(server, full.org.clientUid)
  return { ...full, clientUid: full.org.clientUid }
}
