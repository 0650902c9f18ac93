import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, SignInUid } from '#kernel/ids.ts'
import { type Db, prepared } from '#server/platform/db/db.ts'
import { floorCoverage } from '#server/wardens/floor-coverage.ts'

export interface OfEvent {
  clientUid: ClientUid
  eventUid: EventUid
}

/** A floor, or a building that is covered whole. */
export type PlaceUid = FloorUid | BuildingUid

export interface PlaceRow {
  placeUid: PlaceUid
  buildingUid: BuildingUid
  buildingName: string
  /** Null: the building is covered whole. */
  floorUid: FloorUid | null
  floorName: string | null
  level: number | null
  /** Wardens on duty whose assignment covers the place, and the name of the first. */
  ownOnDuty: number
  ownName: string | null
  claim: { signInUid: SignInUid; name: string; at: string } | null
  gapSince: Date | null
  isOverdue: boolean
  /** The open offer of the place. */
  asked: { name: string; secondsAgo: number } | null
  /** Who was asked last, since the gap began, and said no or let the time pass. */
  askedBefore: { name: string; saidNo: boolean } | null
}

const nameOf = (signInUid: RawBuilder<unknown>) => sql`(
    select p.name from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where si.client_uid = n.client_uid and si.uid = ${signInUid})`

/** Seconds by the database's clock. */
const secondsSince = (at: RawBuilder<unknown>) => sql`greatest(0, extract(epoch from now() - ${at}))::int`

/** Every place of the event that needs a warden, by building and from the top. With `which`, those alone. */
export async function listPlaces(
  db: Db,
  { clientUid, eventUid }: OfEvent,
  { name, which } = { name: 'coverage', which: sql`true` },
): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`${prepared(name)}
    with ${floorCoverage({ clientUid, eventUid })}
    select c.place_uid, c.building_uid, b.name as building_name, c.floor_uid, f.name as floor_name, f.level,
      c.own_on_duty::int as own_on_duty, ${nameOf(sql`c.own_sign_in_uid`)} as own_name, c.gap_since,
      coalesce(c.gap_since < now() - make_interval(mins => n.coverage_minutes), false) as is_overdue,
      case when c.claim_uid is not null then jsonb_build_object('signInUid', c.claimed_by_uid,
        'name', ${nameOf(sql`c.claimed_by_uid`)}, 'at', c.claimed_at) end as claim,
      case when o.is_open then jsonb_build_object('name', ${nameOf(sql`o.to_sign_in_uid`)},
        'secondsAgo', ${secondsSince(sql`o.offered_at`)}) end as asked,
      case when not o.is_open and o.offered_at >= c.gap_since and coalesce(o.answer, 'lapsed') in ('no', 'lapsed')
        then jsonb_build_object('name', ${nameOf(sql`o.to_sign_in_uid`)}, 'saidNo', coalesce(o.answer = 'no', false)) end as asked_before
    from coverage c
    cross join (select uid as client_uid, coverage_minutes from client where uid = ${clientUid}) n
    join building b on b.client_uid = n.client_uid and b.uid = c.building_uid
    left join floor f on f.client_uid = n.client_uid and f.uid = c.floor_uid
    -- the newest of each place: an older one is never open
    left join (
      select distinct on (place_uid) *, answered_at is null and ends_at > now() as is_open
      from floor_offer where client_uid = ${clientUid} and event_uid = ${eventUid}
      order by place_uid, offered_at desc) o on o.place_uid = c.place_uid
    where ${which}
    order by b.name, b.uid, f.level desc, f.name, f.uid`.execute(db)
  return rows
}

/** The place by which this floor or building is covered. Undefined: it is none of the event. */
export async function findPlace(db: Db, event: OfEvent, uid: PlaceUid): Promise<PlaceRow | undefined> {
  const [place] = await listPlaces(db, event, {
    name: 'coverage_of_place',
    which: sql`(c.place_uid = ${uid} or c.floor_uid is null and c.building_uid in (
      select building_uid from floor where client_uid = n.client_uid and uid = ${uid} and retired_at is null))`,
  })
  return place
}

export async function getCoverageMinutes(db: Db, clientUid: ClientUid): Promise<number> {
  const { coverageMinutes } = await db
    .selectFrom('client')
    .select('coverageMinutes')
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
  return coverageMinutes
}
