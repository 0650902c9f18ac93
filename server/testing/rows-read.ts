import { sql } from 'kysely'
import type { Tx } from '../platform/db/db.ts'

/** Rows of the table that the transaction has fetched so far, by any index or by none. */
export async function rowsRead(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = ${table}`.execute(
    tx,
  )
  return rows[0]?.read ?? 0
}
