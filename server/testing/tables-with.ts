import type { TestDatabase } from './database.ts'

/** Tables of any schema with a row that contains the text. Bytes are read as text. */
export async function tablesWith({ database }: { database: TestDatabase }, text: string): Promise<string[]> {
  const { rows: tables } = await database.owner.pg.query<{ name: string; bytes: string[] | null }>(
    `select format('%I.%I', t.schemaname, t.tablename) as name,
       array(select quote_ident(c.column_name) from information_schema.columns c
         where c.table_schema = t.schemaname and c.table_name = t.tablename and c.data_type = 'bytea') as bytes
     from pg_tables t where t.schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const holding: string[] = []
  for (const { name, bytes } of tables) {
    const read = ['t::text', ...(bytes ?? []).map((column) => `encode(t.${column}, 'escape')`)].join(`, ' ', `)
    const { rows } = await database.owner.pg.query(`select from ${name} t where concat(${read}) ilike $1 limit 1`, [
      `%${text}%`,
    ])
    if (rows.length > 0) holding.push(name)
  }
  return holding.sort()
}
