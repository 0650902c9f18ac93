import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, ClientUid, FloorUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import { isPostedOn } from '#server/wardens/posted-floors.ts'

export interface SiteDay {
  clientUid: ClientUid
  siteUid: SiteUid
  day: string
}

const dayOf = ({ day }: SiteDay) => sql`${day}::date`
const byFloors = sql`r.area_domain in ('Floor', 'Area')`

/** An accepted assignment that is not past names a floor of the site. */
export async function hasFloorWardens(tx: Tx, { clientUid, siteUid, day }: SiteDay): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from warden_assignment a
      join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid and l.floor_uid is not null
      where a.client_uid = ${clientUid} and a.site_uid = ${siteUid} and a.status = 'Accepted' and a.date_to >= ${day}::date
    ) as has`.execute(tx)
  return rows[0]?.has ?? false
}

/** Someone at floor `f` on the day: an accepted assignment whose warden is in. `other` narrows assignment `a`. */
const hasWarden = (at: SiteDay, other: RawBuilder<unknown> = sql`true`) => sql<boolean>`
  exists (select from assignment_location l
    join warden_assignment a on a.client_uid = l.client_uid and a.uid = l.assignment_uid and ${isPostedOn(dayOf(at))} and ${other}
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    where l.client_uid = f.client_uid and l.floor_uid = f.uid)`

/** Who has the floor on that day. Call under the lock of the directory. */
export async function findHolder(tx: Tx, at: SiteDay, floorUid: FloorUid): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select p.name
    from assignment_location l
    join warden_assignment a on a.client_uid = l.client_uid and a.uid = l.assignment_uid and ${isPostedOn(dayOf(at))}
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    where l.client_uid = ${at.clientUid} and l.floor_uid = ${floorUid}
    order by a.updated_at desc, a.uid limit 1`.execute(tx)
  return rows[0]?.name
}

export interface AskableRow {
  personUid: PersonUid
  name: string
  roleName: string
  /** Their own floor nearest to the one that is asked for, in its building. Null: none there. */
  floorName: string | null
  /** Levels between the two. */
  away: number | null
  hasFloor: boolean
  /** All of their own floors have another warden that day, or they have none. */
  isFree: boolean
  asked: boolean
  /** The role under which they are asked: their own one of floors, or the first of the floor's kind. */
  roleUid: WardenRoleUid
}

/**
 * Wardens of the site who are in that day and have not got the floor, in the order of candidates during an event, but for duty: who is
 * free, fewer levels away, floor and area roles before building and site roles, event managers last. Who has declined that
 * day is left out.
 */
export async function listAskable(
  tx: Tx,
  at: SiteDay,
  { floorUid, personUid, most }: { floorUid: FloorUid; personUid?: PersonUid; most: number },
): Promise<AskableRow[]> {
  const { clientUid, siteUid, day } = at
  const { rows } = await sql<AskableRow>`
    with target as (
      select f.uid, f.building_uid, f.level, f.kind from floor f
      join building b on b.client_uid = f.client_uid and b.uid = f.building_uid and b.site_uid = ${siteUid} and b.retired_at is null
      where f.client_uid = ${clientUid} and f.uid = ${floorUid} and f.retired_at is null
    ), post as (
      select a.uid, a.person_uid, a.role_uid, r.name as role_name, r.area_domain, r.active as is_in_use,
        'Event_Management' = any (r.modules) as manages, f.uid as floor_uid, f.name as floor_name,
        case when f.building_uid = t.building_uid then abs(f.level - t.level) end as away,
        f.uid is not null and not ${hasWarden(at, sql`a.person_uid <> post_of.person_uid`)} as is_alone
      from target t
      join warden_assignment post_of on post_of.client_uid = ${clientUid} and post_of.site_uid = ${siteUid}
        and (${personUid ?? null}::uuid is null or post_of.person_uid = ${personUid ?? null}::uuid)
      join lateral (select post_of.*) a on ${isPostedOn(dayOf(at))}
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      left join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid
      left join floor f on f.client_uid = l.client_uid and f.uid = l.floor_uid
    ), one as (
      select distinct on (person_uid) *, bool_or(manages) over w as is_manager, bool_or(is_alone) over w as is_bound,
        bool_or(floor_uid is not null) over w as has_floor,
        min(role_uid::text) filter (where area_domain in ('Floor', 'Area') and is_in_use) over w as own_role_uid
      from post window w as (partition by person_uid)
      order by person_uid, away nulls last, floor_name
    ), same as (
      select a.person_uid, bool_or(a.status = 'Offered') as is_asked, bool_or(a.status = 'Declined') as has_declined
      from warden_assignment a
      where a.client_uid = ${clientUid} and a.site_uid = ${siteUid} and a.date_from = ${day}::date and a.date_to = ${day}::date
      group by a.person_uid
    )
    select o.person_uid, p.name, o.role_name, o.away,
      case when o.away is not null then o.floor_name end as floor_name, o.has_floor, not o.is_bound as is_free,
      coalesce(same.is_asked, false) as asked, role.uid as role_uid
    from one o
    cross join target t
    join person p on p.client_uid = ${clientUid} and p.uid = o.person_uid and p.active and p.kind = 'staff'
    left join same on same.person_uid = o.person_uid
    join lateral (
      select r.uid from warden_role r
      where r.client_uid = ${clientUid} and r.active and (r.uid::text = o.own_role_uid
        or o.own_role_uid is null and lower(r.area_domain) = t.kind)
      order by lower(r.name), r.uid limit 1
    ) role on true
    where not coalesce(same.has_declined, false)
      and not exists (select from post where post.person_uid = o.person_uid and post.floor_uid = t.uid)
    order by o.is_manager, not o.is_bound desc, o.away nulls last,
      array_position('{Floor,Area,Building,Site}', o.area_domain), ${nameInOrder}, p.uid
    limit ${most}`.execute(tx)
  return rows
}

export interface OwnDayRow {
  day: string
  isIn: boolean
  places: string[]
}

/** Days from `at.day` on, with the places of the person's accepted assignments at the site. Without one: in. */
export async function listOwnDays(tx: Tx, at: SiteDay, personUid: PersonUid, days: number): Promise<OwnDayRow[]> {
  const { rows } = await sql<OwnDayRow>`
    with day as (
      select day::date as day
      from generate_series(${at.day}::date, ${at.day}::date + ${days - 1}::int, interval '1 day') day
    )
    select day.day::text, coalesce(bool_and(${isPostedOn(sql`day.day`)}), true) as is_in,
      coalesce(array_agg(distinct case when f.uid is not null then b.name || ' - ' || f.name else coalesce(b.name, st.name) end)
        filter (where a.uid is not null), '{}') as places
    from day
    join site st on st.client_uid = ${at.clientUid} and st.uid = ${at.siteUid}
    left join warden_assignment a on a.client_uid = st.client_uid and a.site_uid = st.uid and a.person_uid = ${personUid}
      and a.status = 'Accepted' and day.day between a.date_from and a.date_to
    left join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid
    left join floor f on f.client_uid = l.client_uid and f.uid = l.floor_uid
    left join building b on b.client_uid = l.client_uid and b.uid = coalesce(l.building_uid, f.building_uid)
    group by day.day
    order by day.day`.execute(tx)
  return rows
}

const ownOfDay = ({ clientUid, siteUid, day }: SiteDay, personUid: PersonUid) => sql`
  a.client_uid = ${clientUid} and a.site_uid = ${siteUid} and a.person_uid = ${personUid} and a.status = 'Accepted'
  and ${day}::date between a.date_from and a.date_to`

/** Of each assignment of the person at the site that is accepted for the day. Returns how many there are. */
export async function markNotIn(tx: Tx, at: SiteDay, personUid: PersonUid): Promise<number> {
  const { rows } = await sql`
    with own as (select a.client_uid, a.uid from warden_assignment a where ${ownOfDay(at, personUid)}), marked as (
      insert into warden_absence (client_uid, assignment_uid, day)
      select client_uid, uid, ${at.day}::date from own
      on conflict do nothing
    )
    select from own`.execute(tx)
  return rows.length
}

export async function markIn(tx: Tx, at: SiteDay, personUid: PersonUid): Promise<number> {
  const { rows } = await sql`
    with own as (select a.client_uid, a.uid from warden_assignment a where ${ownOfDay(at, personUid)}), unmarked as (
      delete from warden_absence ab using own
      where ab.client_uid = own.client_uid and ab.assignment_uid = own.uid and ab.day = ${at.day}::date
    )
    select from own`.execute(tx)
  return rows.length
}

export interface NearRow {
  uid: FloorUid
  name: string
  building: string
  /** The own role of floors. */
  roleUid: WardenRoleUid
  assignmentUid: AssignmentUid
}

/** Floors without a warden that day, at most two levels from one that the person has in a role of floors. */
export async function listNear(tx: Tx, at: SiteDay, personUid: PersonUid, floorUid?: FloorUid): Promise<NearRow[]> {
  const { rows } = await sql<NearRow>`
    select * from (
      select distinct on (f.uid) f.uid, f.name, b.name as building, f.level, own.role_uid, own.uid as assignment_uid
      from (
        select a.uid, a.role_uid, fl.building_uid, fl.level
        from warden_assignment a
        join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and r.active and ${byFloors}
        join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid
        join floor fl on fl.client_uid = l.client_uid and fl.uid = l.floor_uid
        where ${ownOfDay(at, personUid)} and ${isPostedOn(dayOf(at))}
      ) own
      join floor f on f.client_uid = ${at.clientUid} and f.building_uid = own.building_uid and f.retired_at is null
        and abs(f.level - own.level) <= 2 and (${floorUid ?? null}::uuid is null or f.uid = ${floorUid ?? null}::uuid)
      join building b on b.client_uid = f.client_uid and b.uid = f.building_uid and b.retired_at is null
      where not ${hasWarden(at)}
      order by f.uid, abs(f.level - own.level), own.uid
    ) near
    order by building, level, name, uid`.execute(tx)
  return rows
}

/** A floor in use of the site. */
export async function isFloorOf(
  tx: Tx,
  { clientUid, siteUid, floorUid }: { clientUid: ClientUid; siteUid: SiteUid; floorUid: FloorUid },
): Promise<boolean> {
  const { rows } = await sql`
    select from floor f join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where f.client_uid = ${clientUid} and f.uid = ${floorUid} and f.retired_at is null
      and b.site_uid = ${siteUid} and b.retired_at is null`.execute(tx)
  return rows.length > 0
}
