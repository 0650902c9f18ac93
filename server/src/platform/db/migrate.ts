import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { findRoles, forRoles, type Roles } from './database-roles.ts'
import type { Db } from './db.ts'

const folder = join(import.meta.dirname, '../../../migrations')

/**
 * Runs the forward-only `.sql` files that are new, one process at a time under an advisory lock; up to and with `target`
 * if one is named. Answers their names. What a newer version has run beyond them is let be: while nodes are restarted one
 * after the other, one of the older version that falls must come back, too. `db` is the owner's: the files are written
 * for the roles `evac_app` and `evac_system`, whatever these are called here.
 */
export async function migrate(db: Db, target?: string): Promise<string[]> {
  await refuseOldPostgres(db)
  const newer = await listNewerMigrations(db)
  const { rows } = await sql.raw<{ roles: Roles }>(findRoles).execute(db)
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({ ...readMigrations((rows[0] as { roles: Roles }).roles), ...namedOnly(newer) }),
    },
    // a schema put aside by a restore has these tables, too
    migrationTableSchema: 'public',
  })
  const { error, results } = await (target ? migrator.migrateTo(target) : migrator.migrateToLatest())
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** The schema under which a restore keeps what was there, until it has finished. */
export const unfinishedRestore = 'before_restore_unfinished'

/** Said instead of starting between two lives of a database: what would be written now goes with the next restore. */
export class HalfRestored extends Error {
  override name = 'HalfRestored'
  constructor() {
    super(
      'A restore of this database was cut short, or is under way. Run `npm run restore -- FOLDER` again: first it brings back what was there.',
    )
  }
}

export async function refuseHalfRestored(db: Db): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${unfinishedRestore}`.execute(db)
  if (rows.length > 0) throw new HalfRestored()
}

/** Those that a newer version of the program has run, which this one knows nothing of. */
export async function listNewerMigrations(db: Db): Promise<string[]> {
  const { rows: tables } =
    await sql`select from pg_tables where schemaname = 'public' and tablename = 'kysely_migration'`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select name from public.kysely_migration where name > ${listMigrationNames().at(-1)} collate "C" order by name`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Known to have run, never to be run from here. */
function namedOnly(names: readonly string[]): Record<string, Migration> {
  return Object.fromEntries(names.map((name) => [name, { up: () => Promise.reject(new Error(`${name} is not here`)) }]))
}

/** In the order in which they are run. */
export function listMigrationNames(): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return files.map((name) => name.replace('.sql', '')).sort()
}

function readMigrations(roles: Roles): Record<string, Migration> {
  const text = (name: string) => forRoles(readFileSync(join(folder, `${name}.sql`), 'utf8'), roles)
  return Object.fromEntries(
    listMigrationNames().map((name) => [name, { up: async (db) => void (await sql.raw(text(name)).execute(db)) }]),
  )
}

async function refuseOldPostgres(db: Db) {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  )
  const version = rows[0]?.version ?? 0
  if (version < 150_000) throw new Error(`PostgreSQL 15 or newer is needed; this server is ${version / 10_000}.`)
}

/**
 * What the planner knows of the tables, anew. After an import it would go on from empty ones for up to a minute: a read of
 * 1,000 wardens took 4 s, and 30 ms with it. Only the owner may.
 */
export const refreshStatistics = (owner: Db) => sql`analyze`.execute(owner)

/**
 * The same for what an event's start writes. By itself the database looks within a minute, and until then read every
 * warden's sign-in for each record: 1.0 ms instead of 0.3 with a thousand of them.
 */
export const refreshEventStatistics = (owner: Db) =>
  sql`analyze warden_sign_in, evacuee, tally, event_floor, event_building`.execute(owner)
