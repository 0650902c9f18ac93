import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from '#server/platform/db/db.ts'
import { HalfRestored } from '#server/platform/db/migrate.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import {
  copyOut,
  isCutShort,
  isOurs,
  listMigrations,
  listStorageKeys,
  listTables,
  type TableShape,
} from './backup.queries.ts'
import { type BackedUpFile, type BackedUpTable, BackupError, createFolder, type Manifest } from './backup-folder.ts'

type Folder = Awaited<ReturnType<typeof createFolder>>

/**
 * Writes everything into a folder while the product runs. All tables are read in one snapshot, in PostgreSQL's
 * text format, which every version reads. The secret key is not included, so a stolen backup opens no session.
 */
export async function backUp(connection: Connection, documents: DocumentStore, folder: string): Promise<Manifest> {
  const client = new pg.Client({ ...connection, application_name: 'evac_backup' })
  client.on('error', () => undefined) // the pending query reports the error
  await client.connect()
  try {
    if (await isCutShort(client)) throw new HalfRestored()
    if (!(await isOurs(client)))
      throw new BackupError('This is not a database of Evac: set DATABASE_URL or DATA_DIR as for `npm start`.')
    const target = await createFolder(folder)
    return await fill(client, documents, target).catch(async (error) => {
      await target.drop().catch(() => undefined) // the first error is the useful one
      throw error
    })
  } finally {
    await client.end()
  }
}

async function fill(client: pg.Client, documents: DocumentStore, target: Folder): Promise<Manifest> {
  await client.query('begin isolation level repeatable read read only')
  const tables: BackedUpTable[] = []
  for (const table of await listTables(client)) tables.push(await copyTable(client, target, table))
  const [keys, migrations] = [await listStorageKeys(client), await listMigrations(client)]
  // documents may take longer than the database lets a transaction idle
  await client.query('commit')
  const files: BackedUpFile[] = []
  for (const key of keys) files.push(...(await copyDocument(documents, target, key)))
  const manifest: Manifest = {
    format: 1,
    product: 'evac',
    createdAt: new Date().toISOString(),
    migrations,
    tables,
    documents: files,
  }
  await target.finish(manifest)
  return manifest
}

async function copyTable(client: pg.Client, target: Folder, table: TableShape): Promise<BackedUpTable> {
  const rows = client.query(copyTo(copyOut(table)))
  const written = await target.write(`tables/${table.name}.gz`, rows, createGzip({ level: 1 }))
  return { ...table, ...written, rows: rows.rowCount }
}

/** Skips a file that the store has lost, so that the rest is backed up. */
async function copyDocument(documents: DocumentStore, target: Folder, key: string): Promise<BackedUpFile[]> {
  const file = await documents.read(key)
  return file ? [await target.write(`documents/${key}`, file.body)] : []
}
