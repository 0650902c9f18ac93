import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'

export interface PlaceCount {
  placeUid: string
  safe: number
  unknown: number
  danger: number
  refusals: number
}

/** The kept counts of every place of the event. */
export async function listTallies(db: Db, clientUid: string, eventUid: string): Promise<PlaceCount[]> {
  const { rows } = await sql<PlaceCount>`
    select place_uid, safe, unknown, danger, refusals from tally
    where client_uid = ${clientUid} and event_uid = ${eventUid}`.execute(db)
  return rows
}
