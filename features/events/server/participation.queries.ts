import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, ClientUid, EventUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { assignmentIsInDate } from '#server/wardens/live-session.ts'
import { areaMeets, hasPlaceWhere } from '#server/wardens/warden-area.ts'
import type { EventPlace } from './event-wardens.queries.ts'

/** A participation that was opened, or opened again. */
export interface OpenedSignIn extends EventPlace {
  assignmentUid: AssignmentUid
}

/** Assignments `a` whose area meets the event. Site domain and event managers always. */
const wardensOf = (eventUid: unknown, siteUid: unknown) => sql`
  warden_assignment a
  join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
  join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
  join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
  where a.site_uid = ${siteUid} and ${assignmentIsInDate}
    and ${hasPlaceWhere(areaMeets(eventUid))}`

/** Opens a participation with unknown attendance for every warden of the event. Returns those that were not open. */
export async function openSignIns(tx: Tx, eventUid: EventUid, siteUid: SiteUid): Promise<OpenedSignIn[]> {
  const { rows } = await sql<OpenedSignIn>`
    insert into warden_sign_in (client_uid, event_uid, assignment_uid, person_uid)
    select a.client_uid, ${eventUid}, a.uid, a.person_uid from ${wardensOf(eventUid, siteUid)}
    on conflict (client_uid, event_uid, assignment_uid) do update
      set closed_at = null, reported_in = false, on_duty = false, not_available = false, off_duty_at = null
      where warden_sign_in.closed_at is not null
    returning event_uid, uid as sign_in_uid, assignment_uid`.execute(tx)
  return rows
}

/** Sites of all clients where a warden of the running event has no participation yet. Takes no lock. */
export async function listSitesWithNewcomers(system: Db): Promise<{ clientUid: ClientUid; siteUid: SiteUid }[]> {
  const { rows } = await sql<{ clientUid: ClientUid; siteUid: SiteUid }>`
    select e.client_uid, e.site_uid from event e
    where e.ended_at is null and exists (
      select from ${wardensOf(sql`e.uid`, sql`e.site_uid`)} and a.client_uid = e.client_uid and not exists (
        select from warden_sign_in si where si.client_uid = a.client_uid and si.event_uid = e.uid
          and si.assignment_uid = a.uid and si.closed_at is null))
    order by e.site_uid`.execute(system)
  return rows
}

export function findSignIn(tx: Tx, eventUid: EventUid, assignmentUid: AssignmentUid) {
  return tx
    .selectFrom('wardenSignIn')
    .select('uid')
    .where('eventUid', '=', eventUid)
    .where('assignmentUid', '=', assignmentUid)
    .where('closedAt', 'is', null)
    .executeTakeFirst()
}

/**
 * Closes participations whose area no longer meets the event, except Site domain and event managers. Returns them.
 * Locks them in order of their uid, as reporting in does.
 */
export async function closeStraySignIns(tx: Tx, eventUid: EventUid): Promise<SignInUid[]> {
  return closeHeld(
    tx,
    sql`
      select si.client_uid, si.uid
      from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where si.event_uid = ${eventUid} and si.closed_at is null and not ${hasPlaceWhere(areaMeets(sql`si.event_uid`))}
      order by si.uid for no key update of si`,
  )
}

/** Closes them all, locked in order of their uid, as reporting in does. Returns them. */
export async function closeAllSignIns(tx: Tx, eventUid: EventUid): Promise<SignInUid[]> {
  return closeHeld(
    tx,
    sql`
      select client_uid, uid from warden_sign_in where event_uid = ${eventUid} and closed_at is null
      order by uid for no key update`,
  )
}

/** Closes the participations that the query locks. */
async function closeHeld(tx: Tx, held: RawBuilder<unknown>): Promise<SignInUid[]> {
  const { rows } = await sql<{ uid: SignInUid }>`
    with held as (${held})
    update warden_sign_in si
    set closed_at = now(), off_duty_at = case when si.on_duty then now() else si.off_duty_at end, on_duty = false
    from held
    where si.client_uid = held.client_uid and si.uid = held.uid
    returning si.uid`.execute(tx)
  return rows.map(({ uid }) => uid)
}

/** Ends the sessions that report-in links of these participations have opened. */
export async function revokeLinkSessions(tx: Tx, signInUids: readonly SignInUid[]): Promise<void> {
  if (signInUids.length === 0) return
  await tx
    .updateTable('session')
    .set({ revokedAt: sql`now()` })
    .where('signInUid', 'in', signInUids)
    .where('revokedAt', 'is', null)
    .execute()
}
