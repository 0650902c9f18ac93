import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../../platform/db.ts'
import type { DocumentStore } from '../../platform/document-store.ts'
import { copyOut, listMigrations, listStorageKeys, listTables, type TableShape } from './backup.queries.ts'
import { type BackedUpFile, type BackedUpTable, createFolder, type Manifest } from './backup-folder.ts'

type Folder = Awaited<ReturnType<typeof createFolder>>

/**
 * T26, F19: everything of one instant into a folder, while the product goes on. All tables are read in one snapshot by the
 * database's own text format, which every version reads. The secret key is not in it: a stolen backup opens no session.
 */
export async function backUp(connection: Connection, documents: DocumentStore, folder: string): Promise<Manifest> {
  const target = await createFolder(folder)
  const client = new pg.Client({ ...connection, application_name: 'evac_backup' })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables: BackedUpTable[] = []
    for (const table of await listTables(client)) tables.push(await copyTable(client, target, table))
    const files: BackedUpFile[] = []
    for (const key of await listStorageKeys(client)) files.push(...(await copyDocument(documents, target, key)))
    const manifest: Manifest = {
      format: 1,
      product: 'evac',
      createdAt: new Date().toISOString(),
      migrations: await listMigrations(client),
      tables,
      documents: files,
    }
    await client.query('commit')
    await target.finish(manifest)
    return manifest
  } finally {
    await client.end()
  }
}

async function copyTable(client: pg.Client, target: Folder, table: TableShape): Promise<BackedUpTable> {
  const rows = client.query(copyTo(copyOut(table)))
  const written = await target.write(`tables/${table.name}.gz`, rows, createGzip({ level: 1 }))
  return { ...table, ...written, rows: rows.rowCount }
}

/** A file that the store has lost is missing for its readers already; it must not cost the backup of all else. */
async function copyDocument(documents: DocumentStore, target: Folder, key: string): Promise<BackedUpFile[]> {
  const file = await documents.read(key)
  return file ? [await target.write(`documents/${key}`, file.body)] : []
}
