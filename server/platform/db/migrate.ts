import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { findRoles, forRoles, type Roles } from './database-roles.ts'
import { type Db, retrying } from './db.ts'

const folder = join(import.meta.dirname, '../../migrations')
/** The files before the baseline. */
const older = 'before-0.1'
/** Makes in an empty database what the older files have made in others. */
const baseline = '0200-baseline'

/**
 * Runs the new `.sql` files, forward only, one process at a time under an advisory lock. Stops after `target` if given.
 * Returns the names of the files. Migrations of a newer version are ignored, so that a node of the older version can
 * restart during a rolling upgrade. `db` is the owner's. The files use the role names `evac_app` and `evac_system`,
 * which are replaced by the names on this server.
 *
 * An empty database runs the baseline and notes the older files as run, so that both kinds of database name the same files
 * and a node of the older version can serve both. A `target` before the baseline is the shape of an older backup: it needs the older files.
 */
export async function migrate(db: Db, target?: string): Promise<string[]> {
  const version = await refuseOldPostgres(db)
  if (!target) await refuseInEvent(db, version)
  const newer = await listNewerMigrations(db)
  const { rows } = await sql.raw<{ roles: Roles }>(findRoles).execute(db)
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        ...readMigrations((rows[0] as { roles: Roles }).roles, target),
        ...namedOnly(newer),
      }),
    },
    // a schema that a restore has set aside has these tables too
    migrationTableSchema: 'public',
  })
  // one transaction for all files; nodes of the older version may take the same locks in another order
  return retrying(async () => {
    const { error, results } = await (target ? migrator.migrateTo(target) : migrator.migrateToLatest())
    if (error) throw error
    return (results ?? []).map((result) => result.migrationName)
  })
}

/** The schema in which a restore keeps the previous data until it has finished. */
export const unfinishedRestore = 'before_restore_unfinished'

/** Thrown instead of starting in the middle of a restore. The restore would discard anything written now. */
export class HalfRestored extends Error {
  override name = 'HalfRestored'
  constructor() {
    super(
      'A restore of this database was interrupted, or is still running. Run `npm run restore -- FOLDER` again: it first puts back what was there.',
    )
  }
}

export async function refuseHalfRestored(db: Db): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${unfinishedRestore}`.execute(db)
  if (rows.length > 0) throw new HalfRestored()
}

/** Migrations that a newer version has run and this version does not know. */
export async function listNewerMigrations(db: Db): Promise<string[]> {
  const newest = listMigrationNames().at(-1) ?? ''
  return ((await listRun(db)) ?? []).filter((name) => name > newest)
}

/** Migrations of this version that the database still needs. Undefined: it is empty. */
export async function listPendingMigrations(db: Db): Promise<string[] | undefined> {
  const run = await listRun(db)
  return run && listMigrationNames().filter((name) => !run.includes(name))
}

/** What has run, in order. Undefined: nothing yet. */
async function listRun(db: Db): Promise<string[] | undefined> {
  const { rows: tables } =
    await sql`select from pg_tables where schemaname = 'public' and tablename = 'kysely_migration'`.execute(db)
  if (tables.length === 0) return undefined
  const { rows } = await sql<{ name: string }>`
    select name from public.kysely_migration order by name collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** Stands in for migrations that have run already. Running one is an error. */
function namedOnly(names: readonly string[]): Record<string, Migration> {
  return Object.fromEntries(
    names.map((name) => [name, { up: () => Promise.reject(new Error(`${name} is not part of this version`)) }]),
  )
}

/** In execution order. */
export function listMigrationNames(): string[] {
  return Object.keys(listFiles()).sort()
}

/** The file of each migration. */
function listFiles(): Record<string, string> {
  const files = [...readdirSync(join(folder, older)).map((name) => join(older, name)), ...readdirSync(folder)]
  return Object.fromEntries(
    files.filter((file) => file.endsWith('.sql')).map((file) => [basename(file, '.sql'), join(folder, file)]),
  )
}

function readMigrations(roles: Roles, target = baseline): Record<string, Migration> {
  const run = (db: Kysely<unknown>, file: string) => sql.raw(forRoles(readFileSync(file, 'utf8'), roles)).execute(db)
  const migrationOf = ([name, file]: [string, string]): [string, Migration] => {
    if (name > baseline || target < baseline) return [name, { up: async (db) => void (await run(db, file)) }]
    const up = async (db: Kysely<unknown>) => {
      if ((await isEmpty(db)) === (name === baseline)) await run(db, file)
    }
    return [name, { up }]
  }
  return Object.fromEntries(Object.entries(listFiles()).map(migrationOf))
}

/** True until the first file or the baseline has run. */
async function isEmpty(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select where to_regclass('public.client') is null`.execute(db)
  return rows.length === 1
}

/** Files that rewrite the table of people, up to this version of PostgreSQL. Meanwhile no one is recorded: 12 s for a million people. */
const rewriting: Record<string, number> = {
  '0144-one-fold-of-names': Number.POSITIVE_INFINITY,
  '0255-one-name': 179_999,
}
/** So many people are rewritten in half a second or so. */
const fewPeople = 50_000

/** Phones in an event would find out by waiting. */
async function refuseInEvent(db: Db, version: number) {
  const pending = (await listPendingMigrations(db)) ?? []
  if (!pending.some((name) => version <= (rewriting[name] ?? 0))) return
  const { rows } = await sql`
    select from event where ended_at is null and (select count(*) from (select from person limit ${fewPeople + 1}) p) > ${fewPeople} limit 1`.execute(
    db,
  )
  if (rows.length > 0)
    throw new Error(
      'An event is running, and this upgrade would hold up everyone who records in it. Start the version before, and upgrade when the event has ended.',
    )
}

/** Returns the version as a number, such as 180001. */
async function refuseOldPostgres(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  )
  const version = rows[0]?.version ?? 0
  if (version < 150_000) throw new Error(`PostgreSQL 15 or newer is needed; this server is ${version / 10_000}.`)
  return version
}

/**
 * Refreshes the planner's statistics. After an import, PostgreSQL would plan for empty tables for up to a minute: a
 * read of 1,000 wardens took 4 s instead of 30 ms. Owner only.
 */
export const refreshStatistics = (owner: Db) => sql`analyze`.execute(owner)

/**
 * Refreshes the statistics of the tables that an event's start fills. Autovacuum does so within a minute; until then
 * each record read every warden's participation: 1.0 ms instead of 0.3 ms with 1,000 wardens.
 */
export const refreshEventStatistics = (owner: Db) =>
  sql`analyze warden_sign_in, evacuee, tally, event_floor, event_building`.execute(owner)

/**
 * The same for a broadcast. Until then a page of 20 people read every message of the organisation: 150 ms instead of 2.
 */
export const refreshTextStatistics = (owner: Db) => sql`analyze message, sms`.execute(owner)
