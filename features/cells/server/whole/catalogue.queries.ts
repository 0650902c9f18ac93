import type pg from 'pg'

export interface Table {
  name: string
  /** Those that are stored, in their order. */
  columns: { name: string; type: string }[]
  references: Reference[]
}

interface Reference {
  /** The table that is referred to. */
  to: string
  /** Columns here, and there. */
  from: string[]
  at: string[]
  isDeferrable: boolean
}

/** All tables as the database knows them. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       coalesce((select json_agg(json_build_object('to', t.relname, 'isDeferrable', f.condeferrable,
           'from', array(select a.attname from unnest(f.conkey) with ordinality k (num, nth)
             join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num order by k.nth),
           'at', array(select a.attname from unnest(f.confkey) with ordinality k (num, nth)
             join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num order by k.nth)) order by f.conname)
        from pg_constraint f join pg_class t on t.oid = f.confrelid where f.conrelid = c.oid and f.contype = 'f'), '[]') as "references"
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  )
  return rows
}

/** The newest migration: files of another one have other columns. */
export async function findNewestMigration(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    'select name from public.kysely_migration order by name collate "C" desc limit 1',
  )
  return rows[0]?.name ?? ''
}

/** Values are written alike whatever the settings of the database. */
export const writeAlike = `set time zone 'UTC'; set datestyle to iso, ymd; set intervalstyle to postgres; set bytea_output to hex;
  set extra_float_digits to 1; set idle_in_transaction_session_timeout to 0; set statement_timeout to 0`
