import { sql } from 'kysely'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { EventOf } from './match-person.queries.ts'

export interface CallsOfPlace {
  /** The oldest of them. */
  uid: SelfReportUid
  /** A floor, or a building that was named without one. Null: no place was named. */
  placeUid: PlaceUid | null
  buildingUid: string | null
  count: number
  first: Date
  newest: Date
  /** How many of them came while the event was a drill. */
  inDrill: number
}

/** Open calls for help by place, the oldest first. */
export async function listCalls(tx: Tx, { clientUid, eventUid }: EventOf): Promise<CallsOfPlace[]> {
  const { rows } = await sql<CallsOfPlace>`
    select (array_agg(uid order by at, uid))[1] as uid, coalesce(floor_uid, building_uid) as place_uid, building_uid,
      count(*)::int as count, min(at) as first, max(at) as newest,
      count(*) filter (where at <= (select counts_from from event where client_uid = ${clientUid} and uid = ${eventUid}))::int as in_drill
    from self_report
    where client_uid = ${clientUid} and event_uid = ${eventUid} and state = 'open' and status = 'help'
    group by floor_uid, building_uid order by first, uid`.execute(tx)
  return rows
}

export interface CallRow {
  uid: SelfReportUid
  at: Date
  saidName: string | null
  words: string | null
  /** It came while the event was a drill. */
  inDrill: boolean
}

/** Open calls for help from the floor, or from the building without a floor, the oldest first. */
export async function listCallsOfPlace(
  tx: Tx,
  { clientUid, eventUid }: EventOf,
  placeUid: PlaceUid,
  most: number,
): Promise<CallRow[]> {
  const { rows } = await sql<CallRow>`
    select uid, at, coalesce(said_name, case when way = 'text' then 'Unknown number ' || said_mobile end) as said_name, words,
      coalesce(at <= (select counts_from from event
        where client_uid = ${clientUid} and uid = ${eventUid}), false) as in_drill
    from self_report
    where client_uid = ${clientUid} and event_uid = ${eventUid} and state = 'open' and status = 'help'
      and coalesce(floor_uid, building_uid) = ${placeUid}
    order by at, uid limit ${most}`.execute(tx)
  return rows
}
