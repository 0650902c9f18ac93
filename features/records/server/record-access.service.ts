import { type RawBuilder, sql } from 'kysely'
import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import type { BuildingUid, ClientUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { isAdministrator, journalReader, type Reader } from '#server/http/warden-or-administrator.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { ActorAssignment } from '#server/wardens/actor.ts'
import { listAreaPlaces } from '#server/wardens/warden-area.ts'

type Grant = Pick<Administrator, 'clientUid' | 'reach' | 'seesPlans'>

/** What the assignment covers, or the grant of an administrator. */
export interface Reach {
  clientUid: ClientUid
  /** Null: all sites of the organisation. */
  siteUid: SiteUid | null
  /** Of whole sites. */
  isSite: boolean
  buildingUids: BuildingUid[]
  floorUids: FloorUid[]
  /** Who has a plan. Of administrators only those with the Plans permission see it. */
  seesPlanned: boolean
}

/** The reach of the session's assignment, or of the grant. A report-in link reaches no record. */
export async function reachOf(tx: Tx, reader: Reader): Promise<Reach> {
  if (isAdministrator(reader)) return reachOfGrant(reader)
  const { clientUid, assignment, linkSignInUid } = reader
  if (!assignment) throw new Refusal('forbidden')
  if (!linkSignInUid) return reachOfAssignment(tx, clientUid, assignment)
  return { clientUid, siteUid: assignment.siteUid, isSite: false, buildingUids: [], floorUids: [], seesPlanned: true }
}

/** Its whole site, or its places. Always in the same order: reaches are compared. */
export async function reachOfAssignment(
  db: Db,
  clientUid: ClientUid,
  { uid, siteUid, areaDomain }: Pick<ActorAssignment, 'uid' | 'siteUid' | 'areaDomain'>,
): Promise<Reach> {
  const isSite = areaDomain === 'Site'
  const places = isSite ? [] : await listAreaPlaces(db, uid)
  return {
    clientUid,
    siteUid,
    isSite,
    buildingUids: places
      .flatMap(({ floorUid, buildingUid }) => (floorUid === null && buildingUid ? [buildingUid] : []))
      .sort(),
    floorUids: places.flatMap(({ floorUid }) => floorUid ?? []).sort(),
    seesPlanned: true,
  }
}

/** The organisation or a site. Throws `forbidden` for a group. */
export function reachOfGrant({ clientUid, reach, seesPlans }: Grant): Reach {
  if (reach.kind === 'group') throw new Refusal('forbidden')
  const siteUid = reach.kind === 'site' ? reach.siteUid : null
  return { clientUid, siteUid, isSite: true, buildingUids: [], floorUids: [], seesPlanned: seesPlans }
}

/** The floors and buildings within the reach, by their uids: a building's floors too. */
export async function listReached(tx: Tx, { clientUid, buildingUids, floorUids }: Reach): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uid: string }>`
    select uid from floor where client_uid = ${clientUid} and building_uid = any (${buildingUids}::uuid[])`.execute(tx)
  return new Set([...buildingUids, ...floorUids, ...rows.map(({ uid }) => uid)])
}

/** True if the site is within reach. */
export const ofSite = ({ siteUid }: Reach, column: RawBuilder<unknown>): RawBuilder<boolean> =>
  siteUid === null ? sql`true` : sql`${column} = ${siteUid}`

/** True if the event of record `r` touched a place within reach. */
export const touches = (reach: Reach): RawBuilder<boolean> => sql`
  (r.client_uid = ${reach.clientUid} and ${ofSite(reach, sql`r.site_uid`)}
    and (${reach.isSite} or r.building_uids && ${reach.buildingUids}::uuid[] or r.floor_uids && ${reach.floorUids}::uuid[]))`

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
  /** All buildings of the event are within reach. */
  isWhole: boolean
}

/** Notes that someone has read names of an event, and which. */
export const noteNamesSeen = (tx: Tx, reader: Reader, eventUid: EventUid, after: { list: string; people?: number }) =>
  recordBeside(tx, journalReader(reader), [
    { action: 'record_names_seen', subjectType: 'event', subjectUid: eventUid, eventUid, after },
  ])

/** True if the place of row `v`, by its columns floor_uid and building_uid, is within reach. */
export const isWithin = (
  { isSite, buildingUids, floorUids }: Reach,
  { floorUid, buildingUid }: { floorUid: RawBuilder<unknown>; buildingUid: RawBuilder<unknown> },
): RawBuilder<boolean> =>
  sql`(${isSite} or ${buildingUid} = any (${buildingUids}::uuid[]) or ${floorUid} = any (${floorUids}::uuid[]))`
