import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, FloorUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import { countedTo } from '#server/administrators/list-page.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import { isPostedOn } from '#server/wardens/posted-floors.ts'

export interface CoveredSite {
  uid: SiteUid
  name: string
  /** Today at the site. */
  today: string
  floors: number
}

/** A site in use within reach. */
export async function findCoveredSite(
  tx: Tx,
  clientUid: ClientUid,
  uid: SiteUid,
  isWithin: RawBuilder<boolean>,
): Promise<CoveredSite | undefined> {
  const { rows } = await sql<CoveredSite>`
    select st.uid, st.name, (now() at time zone st.timezone)::date::text as today,
      (select count(*) from building b
        join floor f on f.client_uid = b.client_uid and f.building_uid = b.uid and f.retired_at is null
        where b.client_uid = st.client_uid and b.site_uid = st.uid and b.retired_at is null)::int as floors
    from site st where st.client_uid = ${clientUid} and st.uid = ${uid} and st.retired_at is null and ${isWithin}`.execute(
    tx,
  )
  return rows[0]
}

export async function listBuildings(tx: Tx, clientUid: ClientUid, siteUid: SiteUid) {
  const { rows } = await sql<{ uid: BuildingUid; name: string }>`
    select uid, name from building
    where client_uid = ${clientUid} and site_uid = ${siteUid} and retired_at is null order by name, uid`.execute(tx)
  return rows
}

/** Roles of floors and areas that are in use, or that someone has at the site on that day. */
export async function listFloorRoles(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, day: string) {
  const { rows } = await sql<{ uid: WardenRoleUid; name: string }>`
    select r.uid, r.name from warden_role r
    where r.client_uid = ${clientUid} and r.area_domain in ('Floor', 'Area') and (r.active or exists (
      select from warden_assignment a where a.client_uid = r.client_uid and a.role_uid = r.uid and a.site_uid = ${siteUid}
        and a.status = 'Accepted' and ${day}::date between a.date_from and a.date_to))
    order by lower(r.name), r.uid`.execute(tx)
  return rows
}

interface FloorRow {
  uid: FloorUid
  buildingUid: BuildingUid
  name: string
}

/** Floors in use of these buildings, by building, level and name. */
export async function listFloors(
  tx: Tx,
  clientUid: ClientUid,
  buildingUids: readonly BuildingUid[],
): Promise<FloorRow[]> {
  const { rows } = await sql<FloorRow>`
    select f.uid, f.building_uid, f.name
    from floor f join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where f.client_uid = ${clientUid} and f.building_uid = any (${buildingUids}::uuid[]) and f.retired_at is null
    order by b.name, b.uid, f.level, f.name, f.uid`.execute(tx)
  return rows
}

interface CellRow {
  floorUid: FloorUid
  roleUid: WardenRoleUid
  accepted: string[]
  offered: number
}

/** Who has these floors on that day, by floor and role. Floors that no one has are absent. */
export async function listCells(
  tx: Tx,
  clientUid: ClientUid,
  { siteUid, day, floorUids }: { siteUid: SiteUid; day: string; floorUids: readonly FloorUid[] },
): Promise<CellRow[]> {
  const { rows } = await sql<CellRow>`
    select l.floor_uid, a.role_uid,
      coalesce(array_agg(p.name order by ${nameInOrder}, p.uid)
        filter (where ${isPostedOn(sql`${day}::date`)}), '{}') as accepted,
      count(*) filter (where a.status = 'Offered')::int as offered
    from warden_assignment a
    join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid
      and l.floor_uid = any (${floorUids}::uuid[])
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    where a.client_uid = ${clientUid} and a.site_uid = ${siteUid} and a.status in ('Offered', 'Accepted')
      and ${day}::date between a.date_from and a.date_to
    group by l.floor_uid, a.role_uid`.execute(tx)
  return rows
}

/** The next days, each with the number of these floors that no one has accepted. */
export async function countUncovered(
  tx: Tx,
  clientUid: ClientUid,
  { siteUid, from, days, floorUids }: { siteUid: SiteUid; from: string; days: number; floorUids: readonly FloorUid[] },
): Promise<{ day: string; without: number }[]> {
  const { rows } = await sql<{ day: string; without: number }>`
    with day as (
      select day::date as day from generate_series(${from}::date, ${from}::date + ${days - 1}::int, interval '1 day') day
    ), post as materialized (
      select l.floor_uid, day.day
      from day join warden_assignment a on ${isPostedOn(sql`day.day`)}
      join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid
        and l.floor_uid = any (${floorUids}::uuid[])
      join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
      where a.client_uid = ${clientUid} and a.site_uid = ${siteUid}
    )
    select day.day::text, ${floorUids.length}::int - count(distinct post.floor_uid)::int as without
    from day left join post on post.day = day.day
    group by day.day
    order by day.day`.execute(tx)
  return rows
}

/** Floors in use within reach that no one has accepted for the day of their site. */
export async function countUncoveredToday(tx: Tx, clientUid: ClientUid, isWithin: Within): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from floor f
      join building b on b.client_uid = f.client_uid and b.uid = f.building_uid and b.retired_at is null
      join site st on st.client_uid = b.client_uid and st.uid = b.site_uid and st.retired_at is null
      where f.client_uid = ${clientUid} and f.retired_at is null and ${isWithin.building} and not exists (
        select from assignment_location l
        join warden_assignment a on a.client_uid = l.client_uid and a.uid = l.assignment_uid
          and ${isPostedOn(sql`(now() at time zone st.timezone)::date`)}
        join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
        where l.client_uid = f.client_uid and l.floor_uid = f.uid)
      limit ${countedTo + 1}) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Building and site wardens who have accepted that day, by name; one row per building. */
export async function listWideWardens(
  tx: Tx,
  clientUid: ClientUid,
  { siteUid, day }: { siteUid: SiteUid; day: string },
): Promise<{ name: string; role: string; building: BuildingUid | null }[]> {
  const { rows } = await sql<{ name: string; role: string; building: BuildingUid | null }>`
    select p.name, r.name as role, l.building_uid as building
    from warden_assignment a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and r.area_domain in ('Site', 'Building')
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    left join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid
    where a.client_uid = ${clientUid} and a.site_uid = ${siteUid} and a.status = 'Accepted'
      and ${day}::date between a.date_from and a.date_to
    order by r.area_domain desc, ${nameInOrder}, a.uid`.execute(tx)
  return rows
}
