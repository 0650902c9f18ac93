import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/** The name of the person `p`, in list order: alphabetical, ignoring case. */
export const nameInOrder: RawBuilder<string> = sql`lower(p.name) collate names`

/**
 * An index built with another ICU version loses rows. After an ICU upgrade the people indexes are rebuilt once. Of
 * several starting servers, one rebuilds and the others wait.
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
