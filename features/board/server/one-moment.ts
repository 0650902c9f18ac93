import { sql } from 'kysely'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import { type Db, readIn, type Tx } from '#server/platform/db/db.ts'

/** The event that a board shows. */
export interface BoardOf {
  clientUid: ClientUid
  eventUid: EventUid
}

export const keyOf = ({ clientUid, eventUid }: BoardOf) => `${clientUid}/${eventUid}`

/** Reads of the event that show one moment, whatever is written meanwhile. */
export const ofOneMoment = <T>(db: Db, { clientUid }: BoardOf, read: (tx: Tx) => Promise<T>): Promise<T> =>
  readIn(db, [clientUid], read, 'one snapshot')

/** The time of the transaction, by the clock of the board's other times. */
export async function readSteadyNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select steady_now() as at`.execute(tx)
  return (rows[0] as { at: Date }).at
}
