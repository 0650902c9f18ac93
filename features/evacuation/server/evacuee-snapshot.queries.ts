import { sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PersonUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import {
  addToTallies,
  changeTallies,
  clearBuildings,
  moveInTallies,
  type TallyLine,
  takeFromTallies,
} from './tally.queries.ts'

/** Resets the row of someone who has left this event, and notes the stay that ended. An active row stays unchanged. */
const beginAnew = sql`
  on conflict (client_uid, event_uid, person_uid) do update
    set stays = coalesce(evacuee.stays, '[]') || jsonb_build_object('joined_at', evacuee.joined_at, 'removed_at', evacuee.removed_at,
        'left_with', evacuee.left_with, 'building_uid', evacuee.home_building_uid, 'floor_uid', evacuee.home_floor_uid),
      active = true, joined_at = now(), removed_at = null, left_with = null, status = 'unknown', on_floor = false, refused = false, refusal_detail = '',
      status_by_person_uid = null, status_at = null, status_observed_at = null, place_seen_at = null,
      drill_status = null, drill_status_at = null, seen_before_at = null, dispute = null, dispute_at = null,
      home_building_uid = excluded.home_building_uid, home_floor_uid = excluded.home_floor_uid,
      building_uid = excluded.building_uid, floor_uid = excluded.floor_uid, sort_name = excluded.sort_name,
      search_name = excluded.search_name
    where not evacuee.active`

/**
 * Inserts everyone who must be accounted for in newly added buildings: active people whose floor is there and today's
 * visitors, without the event's own wardens. One statement for 100,000 people.
 *
 * 1. `place`: the buildings, with today's date at their site.
 * 2. `present`: two halves, each of which walks an index from the few places to their people, even if the planner has no
 *    statistics yet. A single half joined by `coalesce` compared every person with every floor and took over 30 s.
 * 3. The insert follows the order of the table's indexes. The first insert of an event (`isFirst`) finds no earlier rows
 *    and skips the conflict check.
 */
export async function snapshotEvacuees(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  await sql`set local work_mem = '64MB'`.execute(tx) // 100,000 rows sort in memory
  await sql`
    with place as materialized (
      select b.client_uid, b.uid as building_uid, (now() at time zone st.timezone)::date as today
      from building b
      join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
      where b.uid = any (${buildingUids}::uuid[])
    ), present as (
      select p.client_uid, p.uid, p.name, p.search_name, p.kind, pl.building_uid, f.uid as floor_uid
      from place pl
      join floor f on f.client_uid = pl.client_uid and f.building_uid = pl.building_uid
      join person p on p.client_uid = f.client_uid and p.primary_floor_uid = f.uid and p.active
      where p.kind = 'staff' or p.visit_date = pl.today
      union all
      select p.client_uid, p.uid, p.name, p.search_name, p.kind, pl.building_uid, null
      from place pl
      join person p on p.client_uid = pl.client_uid and p.visiting_building_uid = pl.building_uid
        and p.kind = 'visitor' and p.visit_date = pl.today and p.primary_floor_uid is null and p.active
    )
    insert into evacuee (client_uid, event_uid, person_uid, sort_name, search_name, visitor,
      home_building_uid, home_floor_uid, building_uid, floor_uid)
    select client_uid, ${eventUid}, uid, lower(name) collate names, search_name, kind = 'visitor',
      building_uid, floor_uid, building_uid, floor_uid
    from present
    where uid not in (select person_uid from warden_sign_in where event_uid = ${eventUid} and closed_at is null)
    order by building_uid, floor_uid, 4
    ${isFirst ? sql`` : beginAnew}`.execute(tx)
}

/**
 * Removes wardens of the event from its occupants and from the counts. Wardens who are in danger or refuse to leave stay,
 * because attendance does not show that and someone must go to them.
 */
export function dropWardensFromEvacuees(tx: Tx, eventUid: EventUid): Promise<TallyLine[]> {
  return changeTallies(
    tx,
    sql`
    with warden as (
      select e.client_uid, e.uid
      from evacuee e
      join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.event_uid
        and si.person_uid = e.person_uid and si.closed_at is null
      where e.event_uid = ${eventUid} and e.active and e.status <> 'danger' and not e.refused
      order by e.uid
      for no key update of e
    ), dropped as (
      update evacuee e set active = false, removed_at = now()
      where (e.client_uid, e.uid) in (select client_uid, uid from warden)
      returning e.client_uid, e.event_uid, e.place_uid, e.status, e.refused
    ), ${takeFromTallies('dropped')}`,
  )
}

/**
 * Adds people who are no longer wardens of the event to its occupants if their own building is still in the event. They
 * count on their floor, or in the building if the floor was imported after the event began. So do people who are
 * deactivated meanwhile: they are still to be accounted for.
 */
export async function returnWardensToEvacuees(
  tx: Tx,
  eventUid: EventUid,
  closedSignIns: readonly SignInUid[],
): Promise<TallyLine[]> {
  if (closedSignIns.length === 0) return []
  return changeTallies(
    tx,
    sql`
    with returned as (
      insert into evacuee (client_uid, event_uid, person_uid, sort_name, search_name,
        home_building_uid, home_floor_uid, building_uid, floor_uid)
      select p.client_uid, ${eventUid}, p.uid, lower(p.name), p.search_name,
        f.building_uid, ef.floor_uid, f.building_uid, ef.floor_uid
      from person p
      join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
      join event_building eb on eb.client_uid = f.client_uid and eb.event_uid = ${eventUid}
        and eb.building_uid = f.building_uid and eb.active
      left join event_floor ef on ef.client_uid = f.client_uid and ef.event_uid = ${eventUid} and ef.floor_uid = f.uid
      where p.uid in (select person_uid from warden_sign_in where uid = any (${closedSignIns}::uuid[]))
        and not exists (select from warden_sign_in si
          where si.client_uid = p.client_uid and si.event_uid = ${eventUid} and si.person_uid = p.uid and si.closed_at is null)
      ${beginAnew}
      returning client_uid, event_uid, place_uid, status, refused
    ), ${addToTallies('returned')}`,
  )
}

/**
 * Locks the people of buildings in the order of all locks. Call before the buildings are locked, because a record locks
 * people first.
 */
export async function lockEvacuees(tx: Tx, eventUid: EventUid, buildingUids: readonly BuildingUid[]): Promise<void> {
  await sql`
    select count(*) from (
      select from evacuee where event_uid = ${eventUid} and active and building_uid = any (${buildingUids}::uuid[])
      order by uid for no key update
    ) locked`.execute(tx)
}

/**
 * Removes the people of removed buildings from the event. People of a remaining building who were seen in a
 * removed one return to their own floor and keep their status.
 */
export async function removeEvacuees(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
): Promise<TallyLine[]> {
  const moved = await changeTallies(
    tx,
    sql`
    with homecomer as (
      update evacuee e set building_uid = e.home_building_uid, floor_uid = e.home_floor_uid, place_seen_at = null
      from event_building home
      where e.event_uid = ${eventUid} and e.active and e.building_uid = any (${buildingUids}::uuid[])
        and home.client_uid = e.client_uid and home.event_uid = e.event_uid
        and home.building_uid = e.home_building_uid and home.active
      returning e.client_uid, e.event_uid, e.place_uid, e.status, e.refused
    ), ${addToTallies('homecomer')}`,
  )
  await sql`
    update evacuee set active = false, removed_at = now(), left_with = building_uid
    where event_uid = ${eventUid} and active and building_uid = any (${buildingUids}::uuid[])`.execute(tx)
  return [...moved, ...(await clearBuildings(tx, eventUid, buildingUids))]
}

export interface LateVisitor {
  personUid: PersonUid
  eventUid: EventUid
  floorUid: FloorUid | null
  buildingUid: BuildingUid
}

/**
 * Adds today's visitors to the running event of their building, with the status unknown. They count on their
 * floor, or in the building if the floor was imported after the event began. Call under `lockSite`, so that nobody
 * joins an event that is ending.
 */
export async function addLateVisitors(tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<LateVisitor[]> {
  const { rows } = await sql<LateVisitor>`
    with here as (
      select eb.client_uid, eb.event_uid, b.uid as building_uid, (now() at time zone st.timezone)::date as today
      from event_building eb
      join event e on e.client_uid = eb.client_uid and e.uid = eb.event_uid and e.ended_at is null
      join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
      join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
      where eb.client_uid = ${clientUid} and e.site_uid = ${siteUid} and eb.active
    ), joined as (
      insert into evacuee (client_uid, event_uid, person_uid, sort_name, search_name, visitor,
        home_building_uid, home_floor_uid, building_uid, floor_uid)
      select p.client_uid, h.event_uid, p.uid, lower(p.name), p.search_name, true,
        h.building_uid, ef.floor_uid, h.building_uid, ef.floor_uid
      from person p
      left join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
      join here h on h.client_uid = p.client_uid and h.building_uid = coalesce(f.building_uid, p.visiting_building_uid)
      left join event_floor ef on ef.client_uid = h.client_uid and ef.event_uid = h.event_uid and ef.floor_uid = f.uid
      where p.client_uid = ${clientUid} and p.kind = 'visitor' and p.active and p.visit_date = h.today
      on conflict (client_uid, event_uid, person_uid) do nothing
      returning client_uid, event_uid, person_uid, floor_uid, building_uid, place_uid, status, refused
    ), ${addToTallies('joined')}
    select person_uid, event_uid, floor_uid, building_uid from joined`.execute(tx)
  return rows
}

/** Locks everyone in the event in the order of all locks. Statements that record people wait, or have finished. */
export async function lockAllEvacuees(tx: Tx, eventUid: EventUid): Promise<void> {
  await sql`
    select count(*) from (
      select from evacuee where event_uid = ${eventUid} and active order by uid for no key update
    ) locked`.execute(tx)
}

/** Locks these people of the event in the order of all locks. */
export async function lockPeople(
  tx: Tx,
  { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid },
  personUids: readonly string[],
): Promise<void> {
  await sql`
    select count(*) from (
      select from evacuee where client_uid = ${clientUid} and event_uid = ${eventUid} and person_uid = any (${personUids}::uuid[])
        and active
      order by uid for no key update
    ) locked`.execute(tx)
}

/**
 * Sets everyone in the event back to unknown, where they are, without refusals, and keeps what the
 * drill knew. Their counts follow. Call under `lockAllEvacuees`.
 */
export async function setEverybodyBack(tx: Tx, eventUid: EventUid, countsFrom: Date): Promise<void> {
  await sql`
    update evacuee set
      drill_status = case when status_at is not null then status end, drill_status_at = status_at,
      status = 'unknown', on_floor = false, refused = false, refusal_detail = '', status_by_person_uid = null,
      status_at = null, status_observed_at = null, text_status_at = null, self_status_at = null, sight_at = null, sight_session_uid = null,
      sight_phone_ms = null, set_back_at = ${countsFrom}, seen_before_at = null, dispute = null, dispute_at = null
    where event_uid = ${eventUid} and active`.execute(tx)
}

/** What is known of a status goes with it. */
const ofStatus = sql.join(
  [
    'status_by_person_uid',
    'status_at',
    'status_observed_at',
    'text_status_at',
    'self_status_at',
    'sight_at',
    'sight_session_uid',
    'sight_phone_ms',
    'dispute',
    'dispute_at',
  ].map((column) => sql`${sql.ref(column)} = case when a.status = a.to_status then e.${sql.ref(column)} end`),
)

export interface CountedAgain {
  buildings: readonly BuildingUid[]
  countsFrom: Date
  /** Who was safe is unknown again, and what was known of everyone is kept beside. */
  again: boolean
  /** Refusals say something else from now on. */
  refusals: boolean
}

/**
 * People of buildings after a change of the action, with their counts. A danger stands. What was seen before it makes no one
 * safe. Call under `lockEvacuees`.
 */
export function countAgain(
  tx: Tx,
  eventUid: EventUid,
  { buildings, countsFrom, again, refusals }: CountedAgain,
): Promise<TallyLine[]> {
  return changeTallies(
    tx,
    sql`
    with accepted as materialized (
      select client_uid, event_uid, uid, place_uid, status, refused, place_uid as to_place_uid,
        case when ${again} and status = 'safe' then 'unknown' else status end as to_status, refused and not ${refusals} as to_refused
      from evacuee where event_uid = ${eventUid} and active and building_uid = any (${buildings}::uuid[])
    ), changed as (
      update evacuee e set status = a.to_status, refused = a.to_refused,
        refusal_detail = case when a.to_refused then e.refusal_detail else '' end,
        drill_status = case when ${again} and e.status_at is not null then e.status when ${again} then null else e.drill_status end,
        drill_status_at = case when ${again} then e.status_at else e.drill_status_at end,
        set_back_at = case when ${again} then ${countsFrom} else e.set_back_at end,
        on_floor = e.on_floor and a.status = a.to_status, ${ofStatus}
      from accepted a where e.client_uid = a.client_uid and e.uid = a.uid
    ), ${moveInTallies}`,
  )
}
