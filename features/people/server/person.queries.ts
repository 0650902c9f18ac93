import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, FloorUid, GroupUid, PersonUid } from '#kernel/ids.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Person } from '../calls/people.ts'

interface Named<Uid> {
  uid: Uid
  name: string
}

export interface PersonRecord {
  uid: PersonUid
  version: string
  changedAt: Date
  active: boolean
  firstName: string
  lastName: string
  code: string
  email: string | null
  mobile: string | null
  secondMobile: string | null
  username: string | null
  kind: 'staff' | 'visitor'
  building: Named<BuildingUid> | null
  floor: Named<FloorUid> | null
  visitDate: string | null
  accountUid: string | null
  accountEmail: string | null
  hasPassword: boolean
  isAdministrator: boolean
  hasSecondFactor: boolean
  onDutyAt: string | null
  /** The site of the running event that the person takes part in. */
  inEventAt: string | null
  mergedInto: Named<PersonUid> | null
}

/** The site of a running event that the person takes part in: to be accounted for, or as a warden. */
export const eventSiteOf = (clientUid: RawBuilder<unknown>, uid: RawBuilder<unknown>) => sql<string | null>`(
  select st.name from event e join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
  where e.client_uid = ${clientUid} and e.ended_at is null and (
    exists (select from evacuee v where v.client_uid = e.client_uid and v.event_uid = e.uid and v.person_uid = ${uid}
      and v.active)
    or exists (select from warden_sign_in si where si.client_uid = e.client_uid and si.event_uid = e.uid
      and si.person_uid = ${uid} and si.closed_at is null))
  limit 1)`

/** The person, if within the condition on `p`. The transaction sees accounts. */
export async function findPerson(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Pick<Within, 'person'>,
  uid: PersonUid,
): Promise<PersonRecord | undefined> {
  const { rows } = await sql<PersonRecord>`
    select p.uid, to_char(greatest(p.updated_at, ac.updated_at), 'YYYYMMDDHH24MISSUS') || p.active as version,
      greatest(p.updated_at, ac.updated_at) as changed_at, p.active, p.first_name, p.last_name, p.code, p.email, p.mobile, p.second_mobile,
      ac.username, p.kind, p.visit_date::text as visit_date, ac.uid as account_uid, ac.email as account_email,
      ac.password_hash is not null as has_password,
      case when b.uid is not null then json_build_object('uid', b.uid, 'name', b.name) end as building,
      case when f.uid is not null then json_build_object('uid', f.uid, 'name', f.name) end as floor,
      exists (select from administrator g where g.client_uid = p.client_uid and g.person_uid = p.uid
        and g.revoked_at is null) as is_administrator,
      exists (select from second_factor sf where sf.account_uid = ac.uid) as has_second_factor,
      (select st.name from warden_sign_in si
        join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
        join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
        where si.client_uid = p.client_uid and si.person_uid = p.uid and si.on_duty and si.closed_at is null
        limit 1) as on_duty_at,
      ${eventSiteOf(sql`p.client_uid`, sql`p.uid`)} as in_event_at,
      (select json_build_object('uid', m.uid, 'name', m.name) from person m
        where m.client_uid = p.client_uid and m.uid = p.merged_into_uid) as merged_into
    from person p
    left join account ac on ac.uid = p.account_uid and ac.active
    left join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
    left join building b on b.client_uid = p.client_uid and b.uid = coalesce(f.building_uid, p.visiting_building_uid)
    where p.client_uid = ${clientUid} and p.uid = ${uid} and ${isWithin.person}`.execute(tx)
  return rows[0]
}

export async function listAssignmentsOf(tx: Tx, clientUid: ClientUid, uid: PersonUid): Promise<Person['assignments']> {
  const { rows } = await sql<{ role: string; site: string; dateFrom: string; dateTo: string; status: 'Offered' }>`
    select r.name as role, st.name as site, a.date_from::text as date_from, a.date_to::text as date_to, a.status
    from warden_assignment a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    where a.client_uid = ${clientUid} and a.person_uid = ${uid}
    order by a.date_to desc, r.name, a.uid limit 100`.execute(tx)
  return rows.map(({ role, site, dateFrom, dateTo, status }) => ({
    role,
    site,
    status,
    date_from: dateFrom,
    date_to: dateTo,
  }))
}

export async function listGroupsOf(tx: Tx, clientUid: ClientUid, uid: PersonUid): Promise<Named<GroupUid>[]> {
  const { rows } = await sql<Named<GroupUid>>`
    select g.uid, g.name from people_group_member m
    join people_group g on g.client_uid = m.client_uid and g.uid = m.group_uid and g.active
    where m.client_uid = ${clientUid} and m.person_uid = ${uid} order by g.name, g.uid`.execute(tx)
  return rows
}

interface SignInsRow {
  lastSignIn: Date | null
  sessions: number
}

/** The newest sign-in of the warden side or the console, and the phones that are signed in. */
export async function findSignIns(tx: Tx, person: PersonRecord, clientUid: ClientUid): Promise<SignInsRow> {
  const { rows } = await sql<SignInsRow>`select
    greatest(
      (select max(l.at) from sign_in_log l where l.client_uid = ${clientUid} and l.account_uid = ${person.accountUid}),
      (select max(c.created_at) from console_session c where c.account_uid = ${person.accountUid})) as last_sign_in,
    (select count(*)::int from session s where s.client_uid = ${clientUid} and s.person_uid = ${person.uid}
      and s.revoked_at is null and s.expires_at > now()) as sessions`.execute(tx)
  return rows[0] as SignInsRow
}

interface InvitedRow {
  at: Date
  by: string | null
}

export async function findOpenInvitation(tx: Tx, clientUid: ClientUid, uid: PersonUid) {
  const { rows } = await sql<InvitedRow>`
    select i.created_at as at, p.name as by from invitation i
    left join person p on p.client_uid = i.client_uid and p.uid = i.invited_by_person_uid
    where i.client_uid = ${clientUid} and i.person_uid = ${uid} and i.used_at is null and i.voided_at is null
      and i.expires_at > now()
    order by i.created_at desc limit 1`.execute(tx)
  return rows[0]
}

/** 'BUILDING/FLOOR' or 'BUILDING', as the import format writes a place. Undefined for an unknown one. */
export async function findPlaceCode(tx: Tx, clientUid: ClientUid, isWithin: Within, place: string) {
  const { rows } = await sql<{ code: string }>`
    select b.code || coalesce('/' || f.code, '') as code from building b
    left join floor f on f.client_uid = b.client_uid and f.building_uid = b.uid and f.uid = ${place}
    where b.client_uid = ${clientUid} and ${isWithin.building} and (b.uid = ${place} or f.uid = ${place})`.execute(tx)
  return rows[0]?.code
}

/** Floors in use of a building within reach, from the lowest. Undefined if there is no such building. */
export async function listFloors(tx: Tx, clientUid: ClientUid, isWithin: Within, building: BuildingUid) {
  const { rows } = await sql`
    select from building b where b.client_uid = ${clientUid} and b.uid = ${building} and ${isWithin.building}`.execute(
    tx,
  )
  if (rows.length === 0) return undefined
  return (
    await sql<Named<FloorUid>>`
      select f.uid, f.name from floor f where f.client_uid = ${clientUid} and f.building_uid = ${building}
        and f.retired_at is null
      order by f.level, f.name, f.uid`.execute(tx)
  ).rows
}

export async function isReached(tx: Tx, clientUid: ClientUid, isWithin: Within, uid: PersonUid): Promise<boolean> {
  const { rows } = await sql`
    select from person p where p.client_uid = ${clientUid} and p.uid = ${uid} and ${isWithin.person}`.execute(tx)
  return rows.length === 1
}

/** Name, code, country and time zone of the organisation. */
export function getOrganisation(tx: Tx, clientUid: ClientUid) {
  return tx
    .selectFrom('client')
    .select(['code', 'name', 'timezone'])
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
}
