import { sql } from 'kysely'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/**
 * An addition that outlives its event: the outcome, by which an event counts as a drill, without who gave it; and
 * an action with its steps until someone has verified it, because the work is still to be done.
 */
const outlivesEvent = sql`(e.kind = 'outcome' or e.kind in ('action', 'action_step') and not exists (select from record_entry s
  where s.client_uid = e.client_uid and s.kind = 'action_step' and s.target_uid = coalesce(e.target_uid, e.uid)
    and s.body ->> 'step' = 'verified'
    and not exists (select from record_entry later where later.client_uid = s.client_uid and later.base_uid = s.uid)))`

/** Deletes what was added to the record of a deleted event. */
export async function dropEntries(tx: Tx, { clientUid, uid }: { clientUid: ClientUid; uid: EventUid }): Promise<void> {
  await sql`delete from record_entry e
    where e.client_uid = ${clientUid} and e.event_uid = ${uid} and not ${outlivesEvent}`.execute(tx)
  await sql`update record_entry set by_person_uid = null, by_name = '', by_role = null, salt = null
    where client_uid = ${clientUid} and event_uid = ${uid} and kind = 'outcome'`.execute(tx)
}

/** Actions of deleted events that have been verified since. Returns the number of rows. */
export async function dropVerifiedActions(system: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from record_entry e using event_record r
    where r.state = 'reduced' and not r.held and e.client_uid = r.client_uid and e.event_uid = r.event_uid
      and e.kind in ('action', 'action_step') and not ${outlivesEvent}`.execute(system)
  return Number(numAffectedRows ?? 0)
}
