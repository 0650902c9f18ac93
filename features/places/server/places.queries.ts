import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

interface PlaceRow {
  code: string
  name: string
  version: string
  retiredAt: Date | null
  people: number
  wardens: number
  assignments: number
}

export interface SiteRow extends PlaceRow {
  uid: SiteUid
  timezone: string
  drillEveryDays: number
  drillShifts: string
  buildings: number
  floors: number
  documents: number
  eventUid: EventUid | null
}

export interface BuildingRow extends PlaceRow {
  uid: BuildingUid
  floors: number
}

export interface FloorRow extends PlaceRow {
  uid: FloorUid
  buildingUid: BuildingUid
  level: number
  kind: 'floor' | 'area'
}

/** What a form sends back: it differs as soon as anyone has changed the row. */
const versionOf = (row: string): RawBuilder<string> =>
  sql`(extract(epoch from ${sql.ref(`${row}.updated_at`)}) * 1000000)::bigint::text`

/** Offered or accepted assignments that are not past: what keeps a place in use. Alias `a`, with `today` of its site. */
const isOpen = (today: RawBuilder<unknown>) => sql`(a.status in ('Offered', 'Accepted') and a.date_to >= ${today})`
const isToday = (today: RawBuilder<unknown>) =>
  sql`(a.status = 'Accepted' and ${today} between a.date_from and a.date_to)`

const today = sql`(now() at time zone st.timezone)::date`

/** People per place: staff, and visitors from today on. Each visitor counts at a floor or at a building. */
const isHere = (today: RawBuilder<unknown>) => sql`(p.active and (p.kind = 'staff' or p.visit_date >= ${today}))`

/** Sites in counting order, with what each holds. With a uid that one alone. */
export async function listSites(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
  uid: SiteUid | null = null,
): Promise<SiteRow[]> {
  const { rows } = await sql<SiteRow>`
    with st as materialized (
      select st.*, ${today} as today from site st
      where st.client_uid = ${clientUid} and (${uid}::uuid is null or st.uid = ${uid}) and ${isWithin}
    ), at_floor as (
      select b.site_uid, count(*) as people
      from person p
      join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
      join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
      join st on st.uid = b.site_uid
      where p.client_uid = ${clientUid} and ${isHere(sql`st.today`)}
      group by 1
    ), at_building as (
      select b.site_uid, count(*) as people
      from person p
      join building b on b.client_uid = p.client_uid and b.uid = p.visiting_building_uid
      join st on st.uid = b.site_uid
      where p.client_uid = ${clientUid} and p.kind = 'visitor' and p.primary_floor_uid is null and ${isHere(sql`st.today`)}
      group by 1
    ), post as (
      select a.site_uid, count(*) filter (where ${isOpen(sql`st.today`)}) as assignments,
        count(distinct a.person_uid) filter (where ${isToday(sql`st.today`)} and p.active) as wardens
      from warden_assignment a
      join st on st.uid = a.site_uid
      join person p on p.client_uid = a.client_uid and p.uid = a.person_uid
      where a.client_uid = ${clientUid} and a.date_to >= st.today
      group by 1
    ), held as (
      select b.site_uid, count(distinct b.uid) as buildings, count(f.uid) as floors
      from building b
      join st on st.uid = b.site_uid
      left join floor f on f.client_uid = b.client_uid and f.building_uid = b.uid and f.retired_at is null
      where b.client_uid = ${clientUid} and b.retired_at is null group by 1
    )
    select st.uid, st.code, st.name, st.timezone, st.drill_every_days, st.drill_shifts, ${versionOf('st')} as version, st.retired_at,
      (coalesce(at_floor.people, 0) + coalesce(at_building.people, 0))::int as people,
      coalesce(post.wardens, 0)::int as wardens, coalesce(post.assignments, 0)::int as assignments,
      coalesce(held.buildings, 0)::int as buildings, coalesce(held.floors, 0)::int as floors,
      (select count(*) from document d where d.client_uid = ${clientUid} and d.site_uid = st.uid and d.active)::int as documents,
      (select e.uid from event e where e.client_uid = ${clientUid} and e.site_uid = st.uid and e.ended_at is null) as event_uid
    from st
    left join at_floor on at_floor.site_uid = st.uid
    left join at_building on at_building.site_uid = st.uid
    left join post on post.site_uid = st.uid
    left join held on held.site_uid = st.uid
    order by st.name, st.uid`.execute(tx)
  return rows
}

/** Buildings of a site in counting order. */
export async function listBuildings(tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<BuildingRow[]> {
  const { rows } = await sql<BuildingRow>`
    select b.uid, b.code, b.name, ${versionOf('b')} as version, b.retired_at,
      (select count(*) from floor f
        where f.client_uid = b.client_uid and f.building_uid = b.uid and f.retired_at is null)::int as floors,
      ((select count(*) from floor f
        join person p on p.client_uid = f.client_uid and p.primary_floor_uid = f.uid and ${isHere(today)}
        where f.client_uid = b.client_uid and f.building_uid = b.uid)
      + (select count(*) from person p where p.client_uid = b.client_uid and p.visiting_building_uid = b.uid
        and p.kind = 'visitor' and p.primary_floor_uid is null and ${isHere(today)}))::int as people,
      post.wardens, post.assignments
    from building b
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
    cross join lateral (
      select count(distinct a.uid) filter (where ${isOpen(today)})::int as assignments,
        count(distinct a.person_uid) filter (where ${isToday(today)} and p.active)::int as wardens
      from assignment_location l
      left join floor f on f.client_uid = l.client_uid and f.uid = l.floor_uid
      join warden_assignment a on a.client_uid = l.client_uid and a.uid = l.assignment_uid
      join person p on p.client_uid = a.client_uid and p.uid = a.person_uid
      where l.client_uid = b.client_uid and (l.building_uid = b.uid or f.building_uid = b.uid) and a.date_to >= ${today}
    ) post
    where b.client_uid = ${clientUid} and b.site_uid = ${siteUid}
    order by b.name, b.uid`.execute(tx)
  return rows
}

/** Floors of these buildings by level and name. */
export async function listFloors(
  tx: Tx,
  clientUid: ClientUid,
  buildingUids: readonly BuildingUid[],
): Promise<FloorRow[]> {
  const { rows } = await sql<FloorRow>`
    select f.uid, f.building_uid, f.code, f.name, f.level, f.kind, ${versionOf('f')} as version, f.retired_at,
      (select count(*) from person p
        where p.client_uid = f.client_uid and p.primary_floor_uid = f.uid and ${isHere(today)})::int as people,
      post.wardens, post.assignments
    from floor f
    join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
    cross join lateral (
      select count(*) filter (where ${isOpen(today)})::int as assignments,
        count(distinct a.person_uid) filter (where ${isToday(today)} and p.active)::int as wardens
      from assignment_location l
      join warden_assignment a on a.client_uid = l.client_uid and a.uid = l.assignment_uid
      join person p on p.client_uid = a.client_uid and p.uid = a.person_uid
      where l.client_uid = f.client_uid and l.floor_uid = f.uid and a.date_to >= ${today}
    ) post
    where f.client_uid = ${clientUid} and f.building_uid = any (${buildingUids}::uuid[])
    order by f.level, f.name, f.uid`.execute(tx)
  return rows
}

export interface FoundPlace {
  kind: 'site' | 'building' | 'floor'
  uid: PlaceUid
  code: string
  name: string
  version: string
  /** HH:MM of the last change in the site's zone. */
  changedAt: string
  retiredAt: Date | null
  siteUid: SiteUid
  siteCode: string
  siteName: string
  buildingUid: BuildingUid | null
  buildingCode: string | null
  timezone: string
}

/** A place of any kind within reach, with the site and building that it is in. */
export async function findPlace(
  tx: Tx,
  clientUid: ClientUid,
  uid: PlaceUid,
  isWithin: RawBuilder<boolean>,
): Promise<FoundPlace | undefined> {
  const shown = (row: string) => sql`
    ${sql.ref(`${row}.uid`)}, ${sql.ref(`${row}.code`)}, ${sql.ref(`${row}.name`)}, ${versionOf(row)} as version,
    to_char(${sql.ref(`${row}.updated_at`)} at time zone st.timezone, 'HH24:MI') as changed_at,
    ${sql.ref(`${row}.retired_at`)}, st.uid as site_uid, st.code as site_code, st.name as site_name, st.timezone`
  const { rows } = await sql<FoundPlace>`
    select 'site' as kind, ${shown('st')}, null::uuid as building_uid, null as building_code
    from site st where st.client_uid = ${clientUid} and st.uid = ${uid} and ${isWithin}
    union all
    select 'building', ${shown('b')}, b.uid, b.code
    from building b join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
    where b.client_uid = ${clientUid} and b.uid = ${uid} and ${isWithin}
    union all
    select 'floor', ${shown('f')}, b.uid, b.code
    from floor f
    join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
    where f.client_uid = ${clientUid} and f.uid = ${uid} and ${isWithin}`.execute(tx)
  return rows[0]
}
