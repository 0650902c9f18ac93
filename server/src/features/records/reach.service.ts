import type { BuildingUid, ClientUid, EventUid, FloorUid, SiteUid } from '@evac/contract/ids.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Actor } from '../../wardens/actor.ts'
import { listAreaPlaces } from '../../wardens/warden-area.ts'

/** AAR-02: what the assignment covers. */
export interface Reach {
  clientUid: ClientUid
  siteUid: SiteUid
  /** Of the whole site. */
  isSite: boolean
  buildingUids: BuildingUid[]
  floorUids: FloorUid[]
}

/** The reach of the session's assignment. A report-in link reaches no record (AAR-02). */
export async function reachOf(tx: Tx, { clientUid, assignment, linkSignInUid }: Actor): Promise<Reach> {
  if (!assignment) throw new Refusal('forbidden')
  const isSite = assignment.areaDomain === 'Site' && !linkSignInUid
  const places = isSite || linkSignInUid ? [] : await listAreaPlaces(tx, assignment.uid)
  return {
    ...{ clientUid, siteUid: assignment.siteUid, isSite },
    buildingUids: places.flatMap(({ floorUid, buildingUid }) =>
      floorUid === null && buildingUid ? [buildingUid] : [],
    ),
    floorUids: places.flatMap(({ floorUid }) => floorUid ?? []),
  }
}

/** True if the event of record `r` touched a place within reach. */
export const touches = ({ clientUid, siteUid, isSite, buildingUids, floorUids }: Reach): RawBuilder<boolean> => sql`
  (r.client_uid = ${clientUid} and r.site_uid = ${siteUid}
    and (${isSite} or r.building_uids && ${buildingUids}::uuid[] or r.floor_uids && ${floorUids}::uuid[]))`

/** A record within reach. Throws `not_found` for one beyond it, as for one that there never was. */
export async function requireRecord(tx: Tx, reach: Reach, eventUid: EventUid): Promise<Found> {
  const { rows } = await sql<Omit<Found, 'isWhole'>>`
    select r.event_uid, r.number, r.state, r.held, r.reduced_at, r.building_uids, r.floor_uids, r.began_at, r.ended_at, r.kind, st.timezone
    from event_record r join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
    where r.event_uid = ${eventUid} and ${touches(reach)}`.execute(tx)
  const [found] = rows
  if (!found) throw new Refusal('not_found')
  const isWhole = reach.isSite || found.buildingUids.every((uid) => reach.buildingUids.includes(uid))
  return { ...found, isWhole }
}

export interface Found {
  eventUid: EventUid
  number: number
  state: 'writing' | 'ready' | 'failed' | 'reduced'
  kind: 'live' | 'drill'
  held: boolean
  reducedAt: Date | null
  buildingUids: BuildingUid[]
  floorUids: FloorUid[]
  beganAt: Date
  endedAt: Date
  timezone: string
  /** All buildings of the event are within reach (AAR-45). */
  isWhole: boolean
}

/** True if the place of row `v`, by its columns floor_uid and building_uid, is within reach. */
export const isWithin = (
  { isSite, buildingUids, floorUids }: Reach,
  { floorUid, buildingUid }: { floorUid: RawBuilder<unknown>; buildingUid: RawBuilder<unknown> },
): RawBuilder<boolean> =>
  sql`(${isSite} or ${buildingUid} = any (${buildingUids}::uuid[]) or ${floorUid} = any (${floorUids}::uuid[]))`
