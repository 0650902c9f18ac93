import type { AssignmentUid, ClientUid, EventUid, SignInUid, SiteUid } from '@evac/contract/ids.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/db.ts'

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

/** A participation in a running event. */
export interface EventPlace {
  eventUid: EventUid
  signInUid: SignInUid
}

/** Sites with a running event in which these assignments participate, in lock order. */
export async function listSitesOfPosts(
  tx: Tx,
  clientUid: string,
  assignmentUids: readonly string[],
): Promise<SiteUid[]> {
  const { rows } = await sql<{ siteUid: SiteUid }>`
    select distinct e.site_uid
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    where si.client_uid = ${clientUid} and si.assignment_uid = any (${assignmentUids}::uuid[]) and si.closed_at is null
    order by e.site_uid`.execute(tx)
  return rows.map(({ siteUid }) => siteUid)
}

/** The client's sites with a running event, in lock order. */
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

/** Closes the participations of these assignments, except those on duty. Returns the closed ones. */
export async function closePosts(tx: Tx, clientUid: string, assignmentUids: readonly string[]): Promise<EventPlace[]> {
  const { rows } = await sql<EventPlace>`
    update warden_sign_in set closed_at = now()
    where client_uid = ${clientUid} and assignment_uid = any (${assignmentUids}::uuid[]) and closed_at is null and not on_duty
    returning event_uid, uid as sign_in_uid`.execute(tx)
  return rows
}
