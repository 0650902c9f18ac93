import { sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface HazardRow {
  uid: string
  buildingUid: BuildingUid | null
  floorUid: FloorUid | null
  /** 'Building, Floor'. Null: the whole site. */
  place: string | null
  words: string
  byUid: PersonUid
  by: string
  role: string
  at: Date
  /** Noted while the event was a drill: it may be part of the exercise. */
  inDrill: boolean
}

/** Hazards that are not over, newest first. */
export async function listLiveHazards(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<HazardRow[]> {
  const { rows } = await sql<HazardRow>`
    select h.uid, h.building_uid, h.floor_uid, b.name || coalesce(', ' || f.name, '') as place, h.words, h.at,
      coalesce(h.at <= e.live_from, false) as in_drill, p.uid as by_uid, p.name as by, r.name as role
    from hazard h
    join event e on e.client_uid = h.client_uid and e.uid = h.event_uid
    left join building b on b.client_uid = h.client_uid and b.uid = h.building_uid
    left join floor f on f.client_uid = h.client_uid and f.uid = h.floor_uid
    join warden_sign_in si on si.client_uid = h.client_uid and si.uid = h.by_sign_in_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where h.client_uid = ${clientUid} and h.event_uid = ${eventUid} and h.over_at is null
    order by h.at desc, h.uid`.execute(tx)
  return rows
}

export interface HazardPlace {
  buildingUid: BuildingUid
  floorUid: FloorUid | null
  name: string
}

/** The buildings of the event by name, each before its floors from the highest down. */
export async function listHazardPlaces(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<HazardPlace[]> {
  const { rows } = await sql<HazardPlace>`
    select b.uid as building_uid, f.uid as floor_uid, b.name || coalesce(', ' || f.name, '') as name
    from event_building eb
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    cross join lateral (
      select null::uuid as uid, null as name, null::int as level
      union all
      select fl.uid, fl.name, fl.level from event_floor ef
      join floor fl on fl.client_uid = ef.client_uid and fl.uid = ef.floor_uid
      where ef.client_uid = eb.client_uid and ef.event_uid = eb.event_uid and ef.building_uid = eb.building_uid) f
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
    order by b.name, b.uid, f.level desc nulls first, f.name`.execute(tx)
  return rows
}

/** Until the transaction ends no one else notes a hazard or makes a pack for the event. */
export async function lockArrival(tx: Tx, eventUid: EventUid): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arrival/${eventUid}`}, 0))`.execute(tx)
}

export async function countLiveHazards(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from hazard
    where client_uid = ${clientUid} and event_uid = ${eventUid} and over_at is null`.execute(tx)
  return rows[0]?.count ?? 0
}

interface NewHazard {
  clientUid: ClientUid
  eventUid: EventUid
  buildingUid: BuildingUid | null
  floorUid: FloorUid | null
  words: string
  bySignInUid: SignInUid
}

export async function insertHazard(tx: Tx, hazard: NewHazard): Promise<string> {
  const { uid } = await tx.insertInto('hazard').values(hazard).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** Undefined if the event has no such hazard. `ended` is false for one that was over before. */
export async function endHazardRow(
  tx: Tx,
  { clientUid, eventUid, uid, by }: { clientUid: ClientUid; eventUid: EventUid; uid: string; by: SignInUid },
): Promise<{ ended: boolean } | undefined> {
  const { rows } = await sql<{ ended: boolean }>`
    with of_event as (
      select client_uid, uid from hazard where client_uid = ${clientUid} and event_uid = ${eventUid} and uid = ${uid}
    ), ended as (
      update hazard h set over_at = now(), over_by_sign_in_uid = ${by} from of_event o
      where h.client_uid = o.client_uid and h.uid = o.uid and h.over_at is null returning h.uid
    )
    select exists (select from ended) as ended from of_event`.execute(tx)
  return rows[0]
}
