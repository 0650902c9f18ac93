import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/db.ts'
import { firstOwnTransaction } from '../../platform/db/journal-horizon.ts'

/**
 * Identifies a database and its history. The cluster's system identifier alone stays the same after a point-in-time
 * restore (a new timeline) and for a dump restored beside the original (a new database).
 */
export async function readDatabaseIdentity(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select concat_ws('/',
      (select system_identifier from pg_control_system()),
      left(pg_walfile_name(pg_current_wal_lsn()), 8),
      (select oid from pg_database where datname = current_database())
    ) as identity`.execute(db)
  return (rows[0] as { identity: string }).identity
}

/** One process at a time, until the end of the transaction. */
export function lockEpoch(tx: Tx) {
  return sql`select pg_advisory_xact_lock(hashtext('evac_feed_epoch'))`.execute(tx)
}

export function findEpoch(db: Db) {
  return db.selectFrom('feedEpoch').select(['systemIdentifier', 'restores']).executeTakeFirst()
}

export function saveEpoch(tx: Tx, epoch: { systemIdentifier: string; restores: number }) {
  return tx
    .insertInto('feedEpoch')
    .values(epoch)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(epoch))
    .execute()
}

/** The database has another history than before, although it looks the same: no old offset may match. */
export function endEpoch(db: Db) {
  return sql`update feed_epoch set restores = restores + 1`.execute(db)
}

/**
 * Clears the transaction ids of another cluster: they are meaningless here and may lie in this cluster's future. Takes
 * time proportional to the journal.
 */
export async function forgetTransactionIds(tx: Tx) {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`update journal set xid = '0' where xid >= ${firstOwnTransaction}`.execute(tx)
}
