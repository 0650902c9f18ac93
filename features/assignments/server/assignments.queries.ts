import { sql } from 'kysely'
import type { AssignmentUid, ClientUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import type { ActorAssignment } from '#server/wardens/actor.ts'
import { areaCovers } from '#server/wardens/warden-area.ts'

export interface OwnAssignment {
  clientUid: ClientUid
  uid: AssignmentUid
  personUid: PersonUid
  roleUid: WardenRoleUid
  siteUid: SiteUid
  areaDomain: ActorAssignment['areaDomain']
  /** Offered or accepted, and not lapsed at the site. */
  isOpen: boolean
  /** Offered or accepted. */
  isHeld: boolean
}

/** An assignment of one of the session's persons. Looks across clients, so use the system role. */
export async function findOwnAssignment(
  system: Db,
  accountUids: readonly string[],
  assignmentUid: AssignmentUid,
): Promise<OwnAssignment | undefined> {
  const { rows } = await sql<OwnAssignment>`
    select a.client_uid, a.uid, a.person_uid, a.role_uid, a.site_uid, r.area_domain,
      a.status in ('Offered', 'Accepted') and a.date_to >= (now() at time zone st.timezone)::date as is_open,
      a.status in ('Offered', 'Accepted') as is_held
    from warden_assignment a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    join client c on c.uid = a.client_uid and c.active
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    where a.uid = ${assignmentUid} and p.account_uid = any (${accountUids}::uuid[])`.execute(system)
  return rows[0]
}

export async function findSiteOf(
  tx: Tx,
  clientUid: ClientUid,
  assignmentUid: AssignmentUid,
): Promise<SiteUid | undefined> {
  const found = await tx
    .selectFrom('wardenAssignment')
    .select('siteUid')
    .where('clientUid', '=', clientUid)
    .where('uid', '=', assignmentUid)
    .executeTakeFirst()
  return found?.siteUid as SiteUid | undefined
}

export type AssignmentStatus = 'Offered' | 'Accepted' | 'Declined' | 'Withdrawn'

/** Locks the assignment and returns its status. Of several concurrent answers one sees 'Offered'. */
export async function lockStatus(tx: Tx, assignmentUid: AssignmentUid): Promise<AssignmentStatus> {
  const { status } = await tx
    .selectFrom('wardenAssignment')
    .select('status')
    .where('uid', '=', assignmentUid)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return status as AssignmentStatus
}

export async function setStatus(
  tx: Tx,
  assignmentUid: AssignmentUid,
  status: AssignmentStatus,
  declinedNote: string | null,
): Promise<void> {
  await tx
    .updateTable('wardenAssignment')
    .set({ status, declinedNote, respondedAt: sql`now()`, updatedAt: sql`now()` })
    .where('uid', '=', assignmentUid)
    .execute()
}

export interface PeepRow {
  personUid: PersonUid
  person: string
  floor: string
  summary: string
}

/** People with an active PEEP on the floors of the area, by floor and name, without visitors of past days. */
export async function listAreaPeeps(tx: Tx, assignmentUid: AssignmentUid): Promise<PeepRow[]> {
  const { rows } = await sql<PeepRow>`
    select p.uid as person_uid, p.name as person, b.name || ' - ' || f.name as floor, pe.summary
    from warden_assignment a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join building b on b.client_uid = st.client_uid and b.site_uid = st.uid
    join floor f on f.client_uid = b.client_uid and f.building_uid = b.uid
    join person p on p.client_uid = f.client_uid and p.primary_floor_uid = f.uid and p.active
      and (p.kind = 'staff' or p.visit_date >= (now() at time zone st.timezone)::date)
    join peep pe on pe.client_uid = p.client_uid and pe.person_uid = p.uid and pe.active
    where a.uid = ${assignmentUid}
      and (r.area_domain = 'Site' or ${areaCovers({ floorUid: sql`f.uid`, buildingUid: sql`b.uid` })})
    order by b.name, f.level, f.name, ${nameInOrder}, p.uid`.execute(tx)
  return rows
}
