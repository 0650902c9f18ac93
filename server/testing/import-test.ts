import { sql } from 'kysely'
import { type ImportOptions, importOrganisation } from '#features/directory/server/import.service.ts'
import type { ImportReport } from '#features/directory/server/import-report.ts'
import type { Db } from '../platform/db/db.ts'
import { openTestDatabase } from './database.ts'
import { givenFolder } from './given-folder.ts'

/** A folder, a database of its own, and the import of the one into the other. */
export async function openImportTest(over: Parameters<typeof givenFolder>[0] = {}) {
  const database = await openTestDatabase()
  const folder = givenFolder(over)
  const { db } = database.fixtures
  return {
    db,
    /** The owner of the database. */
    owner: database.owner.pg,
    folder,
    run: (options: Partial<ImportOptions> = {}) => importOrganisation({ db, folder: folder.path, ...options }),
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const tables = [
  ...['client', 'site', 'building', 'floor', 'floor_status', 'account', 'person', 'peep', 'warden_role'],
  ...['warden_assignment', 'assignment_location', 'event_type', 'message_template', 'document', 'journal'],
  ...['people_group', 'people_group_member'],
]

/** Every row with the transactions that wrote and locked it: one rewritten with the same values differs. */
export async function rowVersions(db: Db): Promise<string[]> {
  const versions: string[] = []
  for (const table of tables) {
    const { rows } = await sql<{ version: string }>`
      select ${table}::text || t::text || xmin || ' ' || xmax || ctid as version
      from ${sql.table(table)} t order by 1`.execute(db)
    versions.push(...rows.map(({ version }) => version))
  }
  return versions
}

export async function rowsOf<T>(db: Db, statement: string): Promise<T[]> {
  return (await sql.raw<T>(statement).execute(db)).rows
}

/** Files that changed anything. */
export function changesOf({ files }: ImportReport) {
  return Object.fromEntries(
    files
      .filter(({ created, updated, ended }) => created + updated + ended > 0)
      .map(({ file, created, updated, ended }) => [file, { created, updated, ended }]),
  )
}
