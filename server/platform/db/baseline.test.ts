import { expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { listMigrationNames, migrate } from './migrate.ts'

/** What the catalogs of PostgreSQL say of the schema `public`, a line each: definitions, owners and rights. */
async function schemaOf({ owner }: TestDatabase): Promise<string[]> {
  const { rows } = await owner.pg.query<{ line: string }>(`
    with relation as (select * from pg_class where relnamespace = 'public'::regnamespace)
    select concat_ws(' | ', 'relation', relname, relkind, relowner::regrole,
      coalesce(relacl, acldefault('r', relowner)), reloptions, relrowsecurity, relforcerowsecurity, relreplident) as line from relation
    union all select concat_ws(' | ', 'column', relname, rank() over (partition by relname order by attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage, attcollation::regcollation,
      pg_get_expr(adbin, adrelid), attacl, attoptions, attstattarget)
      from relation r join pg_attribute a on a.attrelid = r.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = r.oid and adnum = attnum
    union all select concat_ws(' | ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' | ', 'index', pg_get_indexdef(r.oid), indisvalid, indisreplident)
      from relation r join pg_index on indexrelid = r.oid
    union all select concat_ws(' | ', 'policy', polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
    union all select concat_ws(' | ', 'trigger', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
    union all select concat_ws(' | ', 'function', pg_get_functiondef(oid), proowner::regrole, proacl) from pg_proc f
      where pronamespace = 'public'::regnamespace and prokind <> 'a'
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = f.oid and deptype = 'e')
    union all select concat_ws(' | ', 'statistics', pg_get_statisticsobjdef(oid)) from pg_statistic_ext
    union all select concat_ws(' | ', 'collation', to_jsonb(c) - 'oid') from pg_collation c
      where collnamespace = 'public'::regnamespace
    union all select concat_ws(' | ', 'extension', extname, extversion) from pg_extension
    union all select concat_ws(' | ', 'schema', nspname, nspacl) from pg_namespace where nspname !~ '^pg_'
    union all select concat_ws(' | ', 'rights', defaclnamespace, defaclobjtype, defaclacl) from pg_default_acl
    union all select concat_ws(' | ', 'comment', classoid::regclass, description) from pg_description
      where classoid = 'pg_class'::regclass and objoid in (select oid from relation)
    order by 1`)
  return rows.map(({ line }) => line)
}

/** The rows of every table, and the migrations that are noted as run. */
async function contentsOf({ owner }: TestDatabase) {
  const { rows: tables } = await owner.pg.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const contents: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const { rows } = await owner.pg.query(`select to_jsonb(t) - 'timestamp' as row from ${name} t order by 1`)
    if (rows.length > 0) contents[name] = rows.map(({ row }) => row)
  }
  return contents
}

test.for(['0096-coverage-ahead', '0151-invitations-that-were-shown'])(
  'a database of an older version, upgraded from %s, is as an empty one that runs the baseline',
  async (version) => {
    await using empty = await openTestDatabase({ empty: true })
    await using older = await openTestDatabase({ empty: true })
    await migrate(older.owner.db, version)

    await migrate(older.owner.db)
    await migrate(empty.owner.db)

    expect(await schemaOf(older)).toEqual(await schemaOf(empty))
    expect(await contentsOf(older)).toEqual(await contentsOf(empty))
    expect((await contentsOf(empty)).kysely_migration).toHaveLength(listMigrationNames().length)
  },
)

test('an empty database runs none of the older files', async () => {
  await using database = await openTestDatabase({ empty: true })
  const built: string[] = []
  const { owner } = database
  owner.pg.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => built.push(/building index "(person_\w+)"/.exec(message)?.[1] ?? ''))
    void client.query('set client_min_messages = debug1')
  })

  await migrate(owner.db)

  expect(built).toContain('person_search')
  // an older file makes this one, and a later one drops it again
  expect(built).not.toContain('person_words')
})
