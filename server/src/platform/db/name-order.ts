import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/** First and last name of the person `p`, as people are listed: in reading order, whatever the capitals. */
export const nameInOrder: RawBuilder<string> = sql`lower(p.first_name || ' ' || p.last_name) collate names`

/**
 * An index in the order of another ICU than the one at hand loses rows. After an upgrade of the system's ICU the indexes
 * of people are made anew, once; of several servers that start, the others wait.
 */
export async function keepNameOrder(owner: Db): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('evac_names'))`.execute(tx)
    const { rows } = await sql`select from pg_collation where collname = 'names'
      and collversion is distinct from pg_collation_actual_version(oid)`.execute(tx)
    if (rows.length === 0) return
    await sql`reindex table evacuee`.execute(tx)
    await sql`alter collation names refresh version`.execute(tx)
  })
}
