import { type RawBuilder, sql } from 'kysely'

export type PgType = 'text' | 'uuid' | 'integer' | 'boolean' | 'date' | 'text[]' | 'jsonb'

/** Rows as a from-item with a single parameter. */
export function recordset(
  rows: readonly object[],
  columns: Readonly<Record<string, PgType>>,
  alias = 'i',
): RawBuilder<unknown> {
  const names = Object.keys(columns)
  const json = JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map((name) => [snake(name), (row as Record<string, unknown>)[name]]))),
  )
  const typed = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] ?? '')}`)
  return sql`rows from (json_to_recordset(${json}::json) as (${sql.join(typed)})) with ordinality
    as ${sql.ref(alias)}(${sql.join(names.map((name) => sql.ref(name)))}, ordinal)`
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
