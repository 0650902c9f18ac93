import { type RawBuilder, sql } from 'kysely'
import type { Calling } from '#features/reach/kinds.ts'
import type { ClientUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { assignmentIsInDate } from '#server/wardens/live-session.ts'

export interface RoleRow {
  uid: WardenRoleUid
  code: string
  name: string
  domain: 'Site' | 'Building' | 'Floor' | 'Area'
  modules: string[]
  commandOrder: number | null
  called: Calling
  inUse: boolean
  holders: number
  wasAssigned: boolean
  onDutyAt: string | null
  version: string
  /** HH:MM of the last change in the organisation's zone. */
  changedAt: string
}

/** Roles by name. With a uid that one alone. */
export async function listRoles(tx: Tx, clientUid: ClientUid, uid: WardenRoleUid | null = null): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select r.uid, r.code, r.name, r.area_domain as domain, r.modules, r.command_order, r.called, r.active as in_use,
      (select count(*) from warden_assignment a
        join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
        where a.client_uid = r.client_uid and a.role_uid = r.uid and a.status in ('Offered', 'Accepted')
          and a.date_to >= (now() at time zone st.timezone)::date)::int as holders,
      exists (select from warden_assignment a where a.client_uid = r.client_uid and a.role_uid = r.uid) as was_assigned,
      (select min(st.name) from event e
        join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
        join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid and si.on_duty and si.closed_at is null
        join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid and a.role_uid = r.uid
        where e.client_uid = r.client_uid and e.ended_at is null) as on_duty_at,
      (extract(epoch from r.updated_at) * 1000000)::bigint::text as version,
      to_char(r.updated_at at time zone c.timezone, 'HH24:MI') as changed_at
    from warden_role r
    join client c on c.uid = r.client_uid
    where r.client_uid = ${clientUid} and (${uid}::uuid is null or r.uid = ${uid})
    order by lower(r.name), r.uid`.execute(tx)
  return rows
}

/** Sites in use where no one can start an event today. */
export async function listSitesWithoutManager(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
): Promise<{ uid: SiteUid; name: string }[]> {
  const { rows } = await sql<{ uid: SiteUid; name: string }>`
    select st.uid, st.name from site st
    where st.client_uid = ${clientUid} and st.retired_at is null and ${isWithin} and not exists (
      select from warden_assignment a
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Event_Management' = any (r.modules)
      join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
      where a.client_uid = st.client_uid and a.site_uid = st.uid and ${assignmentIsInDate})
    order by st.name, st.uid`.execute(tx)
  return rows
}

/** 'R-001' and so on: the first code that no role has. */
export async function freeCode(tx: Tx, clientUid: ClientUid): Promise<string> {
  const rows = await tx.selectFrom('wardenRole').select('code').where('clientUid', '=', clientUid).execute()
  const used = new Set(rows.map(({ code }) => code))
  for (let number = 1; ; number++) {
    const code = `R-${String(number).padStart(3, '0')}`
    if (!used.has(code)) return code
  }
}

/** Sites where someone holds the role, in lock order. */
export async function listSitesOfRole(tx: Tx, clientUid: ClientUid, uid: WardenRoleUid): Promise<SiteUid[]> {
  const { rows } = await sql<{ siteUid: SiteUid }>`
    select distinct site_uid from warden_assignment
    where client_uid = ${clientUid} and role_uid = ${uid} and status in ('Offered', 'Accepted') order by 1`.execute(tx)
  return rows.map(({ siteUid }) => siteUid)
}

/**
 * Locks the open participations of a role's holders, so that none of them goes on duty until the transaction ends. Returns
 * the site where one is on duty. Call under `lockSite` of their sites.
 */
export async function lockHolders(tx: Tx, clientUid: ClientUid, uid: WardenRoleUid): Promise<string | undefined> {
  const { rows } = await sql<{ onDuty: boolean; site: string }>`
    select si.on_duty, st.name as site from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid and a.role_uid = ${uid}
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    where si.client_uid = ${clientUid} and si.closed_at is null
    order by si.uid for update of si`.execute(tx)
  return rows.find(({ onDuty }) => onDuty)?.site
}

export async function setInUse(tx: Tx, clientUid: ClientUid, uid: WardenRoleUid, active: boolean): Promise<void> {
  await sql`
    update warden_role set active = ${active}, updated_at = now()
    where client_uid = ${clientUid} and uid = ${uid} and active <> ${active}`.execute(tx)
}
