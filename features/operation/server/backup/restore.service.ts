import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Connection, openPool } from '#server/platform/db/db.ts'
import { listMigrationNames, migrate } from '#server/platform/db/migrate.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import {
  bringBack,
  copyIn,
  dropReferences,
  finish,
  holdsData,
  isCutShort,
  listOthers,
  listTables,
  setAside,
  setSequences,
} from './backup.queries.ts'
import { BackupError, type Manifest, readManifest } from './backup-folder.ts'
import { makeSafe } from './restore.queries.ts'

export interface RestoreOptions {
  connection: Connection
  documents: DocumentStore
  folder: string
  /** Moves existing data to a separate schema instead of rejecting the database. */
  replace: boolean
}
export interface Restored {
  manifest: Manifest
  /** The schema of the previous data. */
  aside: string | undefined
  /** Texts that were queued in the backup. They are not sent. */
  heldTexts: number
}

/**
 * Loads a backup into an empty database, or into one whose data moves to another schema.
 *
 * 1. Check the backup.
 * 2. Move existing data away, load the rows, migrate. An error restores the previous data. After a crash the next restore
 *    does.
 * 3. End all sessions and links. Queued texts are not sent.
 */
export async function restore({ connection, documents, folder, replace }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(folder)
  refuseNewer(manifest)
  const client = new pg.Client({ ...connection, application_name: 'evac_restore' })
  client.on('error', () => undefined) // the pending query reports the error
  await client.connect()
  try {
    await refuseOthers(client)
    if (await isCutShort(client)) await bringBack(client)
    const isFull = await holdsData(client)
    if (isFull && !replace)
      throw new BackupError('The database contains data. Name an empty one, or add --replace to put that data aside.')
    // documents are named by their content, so existing ones stay valid even if the restore fails
    for (const { file } of manifest.documents)
      await documents.keep(file.replace(/^documents\//, ''), join(folder, file))
    await setAside(client)
    const heldTexts = await load(client, connection, manifest, folder).catch((error) => undo(client, error))
    const aside = isFull ? `before_restore_${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}` : undefined
    await finish(client, aside)
    return { manifest, aside, heldTexts }
  } finally {
    await client.end()
  }
}

/** Restores the previous data and throws the error. If that fails too, no node starts on this database. */
async function undo(client: pg.Client, error: Error): Promise<never> {
  try {
    await client.query('rollback')
    await bringBack(client)
  } catch {
    throw new BackupError(
      `The restore was interrupted (${error.message}). Run it again: it first puts back what was there.`,
    )
  }
  throw error
}

function refuseNewer({ migrations }: Manifest) {
  const known = listMigrationNames()
  const strange = migrations.find((name) => !known.includes(name))
  if (strange)
    throw new BackupError(`The backup is from a newer version of Evac (${strange}): restore it with that version.`)
}

async function refuseOthers(client: pg.Client) {
  const others = await listOthers(client)
  if (others.length > 0)
    throw new BackupError(`Something else is using the database (${others.join(', ')}): stop Evac first.`)
}

/** Loads the rows into the schema version of the backup, then migrates it. Returns how many texts are held. */
async function load(client: pg.Client, connection: Connection, manifest: Manifest, folder: string): Promise<number> {
  await migrateTo(connection, manifest.migrations.at(-1))
  await refuseStrangeTables(client, manifest)
  await client.query('begin')
  const references = await dropReferences(client)
  for (const table of manifest.tables) {
    await client.query(`truncate "${table.name}"`) // a migration may have inserted rows
    const rows = client.query(copyFrom(copyIn(table)))
    await pipeline(createReadStream(join(folder, table.file)), createGunzip(), rows)
    if (rows.rowCount !== table.rows)
      throw new Error(`${table.name}: ${rows.rowCount} of ${table.rows} rows were loaded`)
  }
  for (const reference of references) await client.query(reference)
  await setSequences(client)
  await client.query('commit')
  await migrateTo(connection, undefined)
  await client.query('analyze')
  return makeSafe(client)
}

/** Checks that the tables and columns of the backup exist in the schema of its version. */
async function refuseStrangeTables(client: pg.Client, { tables }: Manifest) {
  const known = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]))
  for (const { name, columns } of tables) {
    const strange = known.has(name) ? columns.find((column) => !known.get(name)?.includes(column)) : name
    if (strange) throw new BackupError(`The backup names ${strange}, which is not a table or column of Evac.`)
  }
}

async function migrateTo(connection: Connection, target: string | undefined) {
  const owner = openPool(connection, undefined, 1)
  await migrate(owner.db, target).finally(() => owner.close())
}
