import { sql } from 'kysely'
import type { EventName } from '#kernel/event-name.ts'
import type {
  AssignmentUid,
  BuildingUid,
  ClientUid,
  EventUid,
  FloorUid,
  SignInUid,
  WardenRoleUid,
} from '#kernel/ids.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import { attendance } from '#server/wardens/attendance.ts'
import { eventName } from '#server/wardens/event-name.ts'
import { floorCoverage } from '#server/wardens/floor-coverage.ts'
import { areaHas, areaPlaces, areaRow, isEverywhere, shownAreas } from '#server/wardens/warden-area.ts'

/** An event from the view of one of its wardens. */
export interface View {
  clientUid: ClientUid
  eventUid: EventUid
  assignmentUid: AssignmentUid
}

export interface BuildingRow {
  uid: BuildingUid
  name: string
  isSelected: boolean
  onDuty: number
  unknown: number
  notAvailable: number
  offDuty: number
  eventName: EventName
  /** The floors of the selected building, by level. */
  floors: { uid: FloorUid; name: string }[] | null
}

/**
 * Buildings of the event by name, with counts of their wardens by attendance. A warden of several floors counts once.
 * Site wardens and wardens from outside the event count in each building. Selected is the requested building,
 * else the stored one, the warden's own, or the first. None if the requested one is not in the event.
 */
export async function listBuildings(
  db: Db,
  { clientUid, eventUid, assignmentUid }: View,
  { askedUid, rememberedUid }: { askedUid: BuildingUid | null; rememberedUid: BuildingUid | null },
): Promise<BuildingRow[]> {
  const { rows } = await sql<BuildingRow>`
    with building_in as (
      select b.uid, b.name
      from event_building eb
      join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
      where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
    ), warden as (
      select si.uid, si.assignment_uid, ${attendance} as status, ${isEverywhere(eventUid)} as is_everywhere
      from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.closed_at is null
    ), post as (
      select distinct w.uid, w.status, l.building_uid
      from warden w
      join ${areaPlaces} l on l.client_uid = ${clientUid} and l.assignment_uid = w.assignment_uid
      where not w.is_everywhere
      union all
      select w.uid, w.status, b.uid from warden w cross join building_in b where w.is_everywhere
    ), selected as materialized (
      select b.uid from building_in b
      where b.uid = coalesce(${askedUid}::uuid, b.uid)
      order by b.uid is distinct from ${rememberedUid}::uuid,
        not ${areaHas(sql`l.building_uid = b.uid`, { clientUid, uid: assignmentUid })}, b.name, b.uid
      limit 1
    )
    select b.uid, b.name, s.uid is not null as is_selected, ${eventName} as event_name,
      case when s.uid is not null then coalesce((
        select jsonb_agg(jsonb_build_object('uid', f.uid, 'name', f.name) order by f.level, f.name)
        from floor f where f.client_uid = ${clientUid} and f.building_uid = s.uid and f.retired_at is null), '[]') end as floors,
      count(*) filter (where p.status = 'on_duty') as on_duty,
      count(*) filter (where p.status = 'unknown') as unknown,
      count(*) filter (where p.status = 'not_available') as not_available,
      count(*) filter (where p.status = 'off_duty') as off_duty
    from building_in b
    join event e on e.client_uid = ${clientUid} and e.uid = ${eventUid}
    join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    left join selected s on s.uid = b.uid
    left join post p on p.building_uid = b.uid
    group by b.uid, b.name, s.uid, ${eventName}
    order by b.name, b.uid`.execute(db)
  return rows
}

export interface GapRow {
  /** A floor, or a building that is covered whole. */
  uid: FloorUid | BuildingUid
  /** Null: the whole building. */
  name: string | null
  buildingUid: BuildingUid
  buildingName: string
  unknown: number
  /** Not available and off duty. */
  away: number
  /** Unknown or off duty, by name. */
  notReportedIn: { wardenSignInUid: SignInUid; name: string }[]
}

/** Places of the event that no one covers, as on every page, by building and level, with their wardens. */
export async function listGaps(db: Db, { clientUid, eventUid }: Omit<View, 'assignmentUid'>): Promise<GapRow[]> {
  const { rows } = await sql<GapRow>`
    with ${floorCoverage({ clientUid, eventUid })}, own as (
      select post.place_uid, si.uid, ${attendance} as status, p.name,
        row_number() over (order by ${nameInOrder}, si.uid) as place
      from post
      join warden_sign_in si on si.client_uid = ${clientUid} and si.uid = post.sign_in_uid and si.closed_at is null
      join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    )
    select c.place_uid as uid, f.name, b.uid as building_uid, b.name as building_name,
      count(*) filter (where own.status = 'unknown') as unknown,
      count(*) filter (where own.status in ('not_available', 'off_duty')) as away,
      coalesce(jsonb_agg(jsonb_build_object('wardenSignInUid', own.uid, 'name', own.name) order by own.place)
        filter (where own.status in ('unknown', 'off_duty')), '[]') as not_reported_in
    from coverage c
    join building b on b.client_uid = ${clientUid} and b.uid = c.building_uid
    left join floor f on f.client_uid = b.client_uid and f.uid = c.floor_uid
    left join own on own.place_uid = c.place_uid
    where c.gap_since is not null
    group by b.uid, b.name, c.place_uid, f.name, f.level
    order by b.name, b.uid, f.level, f.name, c.place_uid`.execute(db)
  return rows
}

export interface WardenRow {
  assignmentUid: AssignmentUid
  signInUid: SignInUid
  name: string
  mobile: string | null
  status: Attendance
  roleUid: WardenRoleUid
  roleName: string
  areas: { id: string; name: string }[]
  unread: boolean
  /** Floors of this building. Empty for wardens of the building, of the site or from outside. */
  floorUids: FloorUid[]
}

/** Wardens whose area meets the building, and wardens who belong to all buildings, each once, by name. */
export async function listBuildingWardens(
  db: Db,
  {
    clientUid,
    eventUid,
    buildingUid,
    readerUid,
  }: Omit<View, 'assignmentUid'> & { buildingUid: BuildingUid; readerUid: SignInUid },
): Promise<WardenRow[]> {
  const { rows } = await sql<WardenRow>`
    select si.assignment_uid, si.uid as sign_in_uid, p.name, p.mobile,
      ${attendance} as status, r.uid as role_uid, r.name as role_name,
      ${shownAreas} as areas,
      si.uid in (select m.sender_sign_in_uid from message m where m.client_uid = ${clientUid} and m.event_uid = ${eventUid}
        and m.recipient_sign_in_uid = ${readerUid} and m.read_at is null and m.sender_sign_in_uid is not null) as unread,
      coalesce(area.floor_uids, '{}') as floor_uids
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    cross join ${areaRow(sql`, bool_or(l.building_uid = ${buildingUid}) as is_here,
      array_agg(l.floor_uid) filter (where l.floor_uid is not null and l.building_uid = ${buildingUid}) as floor_uids`)}
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.closed_at is null
      and (area.is_here or ${isEverywhere(eventUid)})
    order by ${nameInOrder}, si.uid`.execute(db)
  return rows
}

/** Stores the building that this session shows. Clears a selected floor of another building. */
export async function selectBuilding(tx: Tx, sessionUid: string, buildingUid: BuildingUid): Promise<void> {
  await sql`
    update session s
    set selected_building_uid = ${buildingUid}, selected_floor_uid = (
      select f.uid from floor f
      where f.client_uid = s.client_uid and f.uid = s.selected_floor_uid and f.building_uid = ${buildingUid})
    where s.uid = ${sessionUid}`.execute(tx)
}
