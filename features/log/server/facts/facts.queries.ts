import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { LogOf } from '../sealing.queries.ts'

/** What a log holds of the journal. */
export interface Packed {
  /** Its last entry. */
  last: { xid: string; position: string }
  /** The facts of its entries, a tile each. */
  tiles: Buffer[]
}

/** Undefined: something was not packed, or a restore has moved the log and its order is not that of the journal. */
export async function findPacked(tx: Tx, { clientUid, eventUid }: LogOf): Promise<Packed | undefined> {
  const { rows: logs } = await sql<Packed['last']>`
    select l.last_xid::text as xid, l.last_position::text as position from record_log l
    where l.client_uid = ${clientUid} and l.event_uid = ${eventUid} and l.epoch = l.read_epoch and not exists (
      select from journal j where j.client_uid = l.client_uid and j.event_uid = l.event_uid and j.action = 'log_moved')`.execute(
    tx,
  )
  const { rows } = await sql<{ facts: Buffer | null }>`
    select facts from log_tile where client_uid = ${clientUid} and event_uid = ${eventUid} and file = 'journal'
    order by idx`.execute(tx)
  const tiles = rows.flatMap(({ facts }) => facts ?? [])
  return logs[0] && tiles.length === rows.length ? { last: logs[0], tiles } : undefined
}

/** What was packed is not needed once the record is ready. */
export async function dropFacts(db: Db, { clientUid, eventUid }: LogOf): Promise<void> {
  await sql`
    update log_tile set facts = null
    where client_uid = ${clientUid} and event_uid = ${eventUid} and file = 'journal' and facts is not null`.execute(db)
}
