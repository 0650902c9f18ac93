import { sql } from 'kysely'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

/** Holds the event, if it is still there, against the retention that deletes it. */
export async function lockEvent(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<void> {
  await sql`select from event where client_uid = ${clientUid} and uid = ${eventUid} for no key update`.execute(tx)
}

/** False if the record was so before. Its row decides between several at once. */
export async function setHeld(tx: Tx, clientUid: ClientUid, eventUid: EventUid, held: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('eventRecord')
    .set({ held })
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('held', '!=', held)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
