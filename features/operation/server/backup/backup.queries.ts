import type pg from 'pg'
import { unfinishedRestore } from '#server/platform/db/migrate.ts'

/** Not backed up: the manifest has the migrations, and the lock is no data. */
const notData = ['kysely_migration', 'kysely_migration_lock']

export interface TableShape {
  name: string
  columns: string[]
}

/** All tables, each with its stored columns. */
export async function listTables(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [notData],
  )
  return rows
}

/** Drops all foreign keys, because tables refer to each other in circles. Returns a function that restores them and checks every row. */
export async function dropReferences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ add }) => add)
}

export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

export async function listStorageKeys(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    'select distinct storage_key as key from document where storage_key is not null order by 1',
  )
  return rows.map(({ key }) => key)
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
export const copyOut = ({ name, columns }: TableShape) => `copy "${name}" (${quoted(columns)}) to stdout`
export const copyIn = ({ name, columns }: TableShape) => `copy "${name}" (${quoted(columns)}) from stdin`

/** True if these are our tables, empty or not. */
export async function isOurs(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>(
    `select to_regclass('public.kysely_migration') is not null as ours`,
  )
  return rows[0]?.ours === true
}

/** True if the database contains an organisation or tables of another program. */
export async function holdsData(client: pg.ClientBase): Promise<boolean> {
  const found = (await isOurs(client)) ? 'select from public.client limit 1' : foreignRelations
  return (await client.query(found)).rowCount !== 0
}

const foreignRelations = `select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  and not exists (select from pg_depend d where (d.classid, d.objid, d.deptype) = ('pg_class'::regclass, c.oid, 'e')) limit 1`

/** Other connections to this database. That of `checkDatabase` may not have closed yet, so it is left out. */
export async function listOthers(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename::text) as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usename is not null
       and application_name is distinct from 'evac_check'
       -- of other accounts an ordinary owner sees no kind
       and coalesce(backend_type, 'client backend') = 'client backend' order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function setSequences(client: pg.ClientBase) {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`,
  )
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce((select max("${column}") from "${table}"), 0) + 1, false)`,
      [table, column],
    )
  }
}

/**
 * Moves the schema to the name for unfinished restores. Extensions stay, because migrations expect them there and their
 * objects do not belong to the owner.
 */
export async function setAside(client: pg.ClientBase) {
  await client.query(`begin; create schema "${unfinishedRestore}"`)
  await move(client, 'public', unfinishedRestore)
  await client.query('commit')
}
export async function bringBack(client: pg.ClientBase) {
  await client.query('begin')
  for (const { kind, name } of await listObjects(client, 'public'))
    await client.query(`drop ${kind} if exists ${name} cascade`)
  await move(client, unfinishedRestore, 'public')
  await client.query(`drop schema "${unfinishedRestore}"; commit`)
}
export async function isCutShort(client: pg.ClientBase): Promise<boolean> {
  return (await client.query('select from pg_namespace where nspname = $1', [unfinishedRestore])).rowCount === 1
}
/** Finishes a restore: renames the previous schema, or drops it if no name is given. */
export async function finish(client: pg.ClientBase, name: string | undefined) {
  const end = name
    ? `alter schema "${unfinishedRestore}" rename to "${name}"`
    : `drop schema "${unfinishedRestore}" cascade`
  await client.query(end)
}

async function move(client: pg.ClientBase, from: string, to: string) {
  for (const { kind, name } of await listObjects(client, from))
    await client.query(`alter ${kind} ${name} set schema "${to}"`)
}

/** Objects of a schema, without those of extensions and those that belong to a table. */
async function listObjects(client: pg.ClientBase, schema: string) {
  const { rows } = await client.query<{ kind: string; name: string }>(
    `with part as (select classid, objid from pg_depend where deptype in ('a', 'e', 'i') and refclassid <> 'pg_namespace'::regclass)
     select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table'
         else 'table' end as kind, format('%I.%I', $1::text, relname) as name
       from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
         and ('pg_class'::regclass, oid) not in (select classid, objid from part)
     union all
     select case prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end, oid::regprocedure::text
       from pg_proc where pronamespace = $1::regnamespace and ('pg_proc'::regclass, oid) not in (select classid, objid from part)
     union all
     select case typtype when 'd' then 'domain' else 'type' end, format('%I.%I', $1::text, typname)
       from pg_type where typnamespace = $1::regnamespace and typtype in ('e', 'd')
         and ('pg_type'::regclass, oid) not in (select classid, objid from part)
     union all
     select 'collation', format('%I.%I', $1::text, collname) from pg_collation where collnamespace = $1::regnamespace
       and ('pg_collation'::regclass, oid) not in (select classid, objid from part)
     union all
     select 'statistics', format('%I.%I', $1::text, stxname) from pg_statistic_ext where stxnamespace = $1::regnamespace`,
    [schema],
  )
  return rows
}
