import { type RawBuilder, sql } from 'kysely'
import { queueTexts } from '#features/texts/server/queue.queries.ts'
import type { AssignmentUid, ClientUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface OfferedPerson {
  uid: PersonUid
  code: string
  name: string
  email: string | null
  accountUid: string | null
  mobile: string | null
}

/** Active staff among these people, within reach. Accounts are seen by the system's role alone. */
export async function listStaff(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
  uids: readonly PersonUid[],
): Promise<OfferedPerson[]> {
  const { rows } = await sql<OfferedPerson>`
    select p.uid, p.code, p.name, coalesce(ac.email, p.email) as email, ac.uid as account_uid, p.mobile
    from person p left join account ac on ac.uid = p.account_uid and ac.active
    where p.client_uid = ${clientUid} and p.uid = any (${uids}::uuid[]) and p.active and p.kind = 'staff' and ${isWithin}
    order by p.uid`.execute(tx)
  return rows
}

export interface OfferedRole {
  code: string
  name: string
  domain: 'Site' | 'Building' | 'Floor' | 'Area'
  managesEvents: boolean
}

/** A role in use. */
export async function findRole(tx: Tx, clientUid: ClientUid, uid: WardenRoleUid): Promise<OfferedRole | undefined> {
  const { rows } = await sql<OfferedRole>`
    select code, name, area_domain as domain, 'Event_Management' = any (modules) as manages_events
    from warden_role where client_uid = ${clientUid} and uid = ${uid} and active`.execute(tx)
  return rows[0]
}

/** A site in use within reach. */
export async function findSite(tx: Tx, clientUid: ClientUid, isWithin: RawBuilder<boolean>, uid: SiteUid) {
  const { rows } = await sql<{ code: string; name: string }>`
    select st.code, st.name from site st
    where st.client_uid = ${clientUid} and st.uid = ${uid} and st.retired_at is null and ${isWithin}`.execute(tx)
  return rows[0]
}

/** Buildings and floors in use of a site, as import files and people write them. */
export async function listPlaces(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, uids: readonly string[]) {
  const { rows } = await sql<{ uid: string; code: string; name: string }>`
    select b.uid, b.code, b.name::text as name from building b
    where b.client_uid = ${clientUid} and b.site_uid = ${siteUid} and b.uid = any (${uids}::uuid[]) and b.retired_at is null
    union all
    select f.uid, b.code || '/' || f.code, b.name || ' - ' || f.name
    from floor f join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where f.client_uid = ${clientUid} and b.site_uid = ${siteUid} and f.uid = any (${uids}::uuid[]) and f.retired_at is null
    order by name`.execute(tx)
  return rows
}

export interface OwnFloor {
  personUid: PersonUid
  /** As import files write it. */
  code: string
  name: string
}

/** The floors in use of a site on which these people are counted. */
export async function listOwnFloors(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, people: readonly PersonUid[]) {
  const { rows } = await sql<OwnFloor>`
    select p.uid as person_uid, b.code || '/' || f.code as code, b.name || ' - ' || f.name as name
    from person p
    join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid and f.retired_at is null
    join building b on b.client_uid = f.client_uid and b.uid = f.building_uid and b.site_uid = ${siteUid}
    where p.client_uid = ${clientUid} and p.uid = any (${people}::uuid[])`.execute(tx)
  return rows
}

export interface SameAssignment {
  uid: AssignmentUid
  personUid: PersonUid
  status: string
  dateTo: string
}

/** Assignments of these people with the same role, site and first day. */
export async function listSame(
  tx: Tx,
  clientUid: ClientUid,
  { people, role, site, from }: { people: readonly PersonUid[]; role: WardenRoleUid; site: SiteUid; from: string },
): Promise<SameAssignment[]> {
  const { rows } = await sql<SameAssignment>`
    select uid, person_uid, status, date_to::text from warden_assignment
    where client_uid = ${clientUid} and person_uid = any (${people}::uuid[]) and role_uid = ${role} and site_uid = ${site}
      and date_from = ${from}::date`.execute(tx)
  return rows
}

/** Floors of an assignment as import files write them. */
export async function listHeldPlaces(tx: Tx, clientUid: ClientUid, uid: AssignmentUid): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select b.code || '/' || f.code as code
    from assignment_location l
    join floor f on f.client_uid = l.client_uid and f.uid = l.floor_uid
    join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where l.client_uid = ${clientUid} and l.assignment_uid = ${uid} order by code`.execute(tx)
  return rows.map(({ code }) => code)
}

/** Texts without a token, one per person. Paid from the pot of links by the worker. */
export async function queueOfferTexts(
  tx: Tx,
  clientUid: ClientUid,
  people: readonly PersonUid[],
  { body, isAllowed }: { body: string; isAllowed: boolean },
): Promise<number> {
  const receivers = sql`
    select ${clientUid}::uuid as client_uid, null::uuid as event_uid, person_uid from unnest(${people}::uuid[]) person_uid`
  const queued = await queueTexts(tx, { kind: 'offer', body, isAllowed, receivers })
  return queued.filter(({ status }) => status === 'queued').length
}

export function getOrganisation(tx: Tx, clientUid: ClientUid) {
  return tx.selectFrom('client').select(['name', 'smsAllowed']).where('uid', '=', clientUid).executeTakeFirstOrThrow()
}
