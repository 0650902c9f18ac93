import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './db.ts'

const folder = join(import.meta.dirname, '../../migrations')

/** Runs the forward-only `.sql` files that are new, one process at a time under an advisory lock. Answers their names. */
export async function migrate(db: Db): Promise<string[]> {
  await refuseOldPostgres(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => readMigrations() } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

function readMigrations(): Record<string, Migration> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return Object.fromEntries(
    files.map((name) => [
      name.replace('.sql', ''),
      { up: async (db) => void (await sql.raw(readFileSync(join(folder, name), 'utf8')).execute(db)) },
    ]),
  )
}

async function refuseOldPostgres(db: Db) {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  )
  const version = rows[0]?.version ?? 0
  if (version < 150_000) throw new Error(`PostgreSQL 15 or newer is needed; this server is ${version / 10_000}.`)
}
