import { sql } from 'kysely'
import type { AssignmentUid, ClientUid, EventUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/** Locks the open participation of an assignment until the transaction ends, so that it cannot go on duty meanwhile. */
export function lockSignIn(tx: Tx, eventUid: EventUid, assignmentUid: AssignmentUid) {
  return tx
    .selectFrom('wardenSignIn')
    .select(['uid', 'onDuty'])
    .where('eventUid', '=', eventUid)
    .where('assignmentUid', '=', assignmentUid)
    .where('closedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function closeSignIn(tx: Tx, signInUid: SignInUid): Promise<void> {
  await tx.updateTable('wardenSignIn').set({ closedAt: sql`now()` }).where('uid', '=', signInUid).execute()
}

/**
 * Locks the event and an open participation on duty. `isLastManager`: no one else on duty manages events.
 */
export async function lockPost(tx: Tx, eventUid: EventUid, assignmentUid: AssignmentUid) {
  await tx.selectFrom('event').select('uid').where('uid', '=', eventUid).forNoKeyUpdate().execute()
  const { rows } = await sql<{ uid: SignInUid; name: string; isLastManager: boolean }>`
    with manager as (
      select distinct si.person_uid from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Event_Management' = any (r.modules)
      where si.event_uid = ${eventUid} and si.on_duty and si.closed_at is null
    )
    select si.uid, p.name,
      si.person_uid in (select person_uid from manager) and (select count(*) from manager) = 1 as is_last_manager
    from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where si.event_uid = ${eventUid} and si.assignment_uid = ${assignmentUid} and si.on_duty and si.closed_at is null
    for update of si`.execute(tx)
  return rows[0]
}

/** Takes a participation off duty and closes it. */
export async function takeOff(tx: Tx, signInUid: SignInUid): Promise<void> {
  await tx
    .updateTable('wardenSignIn')
    .set({ onDuty: false, offDutyAt: sql`now()`, closedAt: sql`now()` })
    .where('uid', '=', signInUid)
    .execute()
}

/** A participation in a running event. */
export interface EventPlace {
  eventUid: EventUid
  signInUid: SignInUid
}

/**
 * Sites with a running event in which these assignments participate, and sites of what these people have accepted, in lock
 * order.
 */
export async function listSitesOfPosts(
  tx: Tx,
  clientUid: string,
  { assignmentUids, personUids }: PostsOf,
): Promise<SiteUid[]> {
  const { rows } = await sql<{ siteUid: SiteUid }>`
    select e.site_uid
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    where si.client_uid = ${clientUid} and si.closed_at is null
      and (si.assignment_uid = any (${assignmentUids}::uuid[]) or si.person_uid = any (${personUids}::uuid[]))
    union
    select a.site_uid from warden_assignment a
    where a.client_uid = ${clientUid} and a.person_uid = any (${personUids}::uuid[]) and a.status = 'Accepted'
    order by 1`.execute(tx)
  return rows.map(({ siteUid }) => siteUid)
}

/** Participations of assignments and of people. */
export interface PostsOf {
  assignmentUids: readonly string[]
  personUids: readonly string[]
}

/** The client's sites with a running event, in lock order. An event that is being started is not included. */
export async function listSitesOfEvents(db: Db, clientUid: ClientUid): Promise<SiteUid[]> {
  const rows = await db
    .selectFrom('event')
    .select('siteUid')
    .where('clientUid', '=', clientUid)
    .where('endedAt', 'is', null)
    .orderBy('siteUid')
    .execute()
  return rows.map(({ siteUid }) => siteUid)
}

/** Closes these participations, except those on duty. Returns the closed ones. */
export async function closePosts(
  tx: Tx,
  clientUid: string,
  { assignmentUids, personUids }: PostsOf,
): Promise<EventPlace[]> {
  const { rows } = await sql<EventPlace>`
    update warden_sign_in set closed_at = now()
    where client_uid = ${clientUid} and closed_at is null and not on_duty
      and (assignment_uid = any (${assignmentUids}::uuid[]) or person_uid = any (${personUids}::uuid[]))
    returning event_uid, uid as sign_in_uid`.execute(tx)
  return rows
}
