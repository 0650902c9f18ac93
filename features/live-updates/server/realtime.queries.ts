import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, EventUid, SignInUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import { each, type RecordKind } from '#server/platform/db/batches.ts'
import { type Db, prepared } from '#server/platform/db/db.ts'
import { assignmentIsCurrent, isLive } from '#server/wardens/live-session.ts'

export interface RecentEnding {
  eventEnded: boolean
  endedBy: string | null
}

/**
 * The assignment's participation that the end of the event or a removal closed in the last ten minutes. One that
 * the warden has left is not included.
 */
export async function findRecentEnding(db: Db, assignmentUid: string): Promise<RecentEnding | undefined> {
  const { rows } = await sql<RecentEnding>`
    select e.ended_at is not null as event_ended, e.ended_by_sign_in_uid as ended_by
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid and a.status = 'Accepted'
    where si.assignment_uid = ${assignmentUid} and si.reported_in and si.closed_at > now() - interval '10 minutes'
    order by si.closed_at desc
    limit 1`.execute(db)
  return rows[0]
}

/** The same for the participation of a report-in-link session that ended together with it. */
export async function findEndingOfLinkSession(system: Db, tokenHash: Buffer): Promise<RecentEnding | undefined> {
  const { rows } = await sql<RecentEnding>`
    select e.ended_at is not null as event_ended, e.ended_by_sign_in_uid as ended_by
    from session s
    join account ac on ac.uid = s.account_uid and ac.active
    join client c on c.uid = s.client_uid and c.active
    join person p on p.client_uid = s.client_uid and p.uid = s.person_uid and p.active
    join warden_sign_in si on si.client_uid = s.client_uid and si.uid = s.sign_in_uid and si.closed_at = s.revoked_at
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid
    where s.token_hash = ${tokenHash} and s.expires_at > now() and si.reported_in
      and si.closed_at > now() - interval '10 minutes'`.execute(system)
  return rows[0]
}

export interface Duty {
  eventUid: EventUid
  signInUid: SignInUid
  assignmentUid: AssignmentUid
  wholeSite: boolean
  kind: EventKind
  readsMessages: boolean
}

const stands = sql<boolean>`(si.on_duty and si.closed_at is null and ${assignmentIsCurrent})`

/** A participation on duty in an active event, with a valid assignment. Looks up by uid, so use the system role. */
export async function findDuty(system: Db, signInUid: string): Promise<Duty | undefined> {
  const { rows } = await sql<Duty>`
    select si.event_uid, si.uid as sign_in_uid, si.assignment_uid, r.area_domain = 'Site' as whole_site, e.kind,
      'My_Messages' = any (r.modules) as reads_messages
    from warden_sign_in si
    join client c on c.uid = si.client_uid and c.active
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where si.uid = ${signInUid} and ${stands}`.execute(system)
  return rows[0]
}

interface Participation {
  signInUid: string
  sessionUid: string
}

/** A row if the participation is valid and its session may still request tokens. */
export const dutyChecks: RecordKind<Participation, object> = {
  name: 'check_duty',
  statement: checkDuty,
  senderOf: ({ sessionUid }) => sessionUid,
  apartBy: () => [],
}

function checkDuty(participations: readonly Participation[]): RawBuilder<{ n: number }> {
  const all = each(participations)
  return sql<{ n: number }>`${prepared('check_duty')}
    with asked as (
      select * from unnest(${all('signInUid')}::uuid[], ${all('sessionUid')}::uuid[]) with ordinality
        as r (sign_in_uid, session_uid, n)
    )
    select q.n from asked q
    cross join lateral (select * from session where uid = q.session_uid offset 0) s
    cross join lateral (select * from warden_sign_in where client_uid = s.client_uid and uid = q.sign_in_uid offset 0) si
    join account ac on ac.uid = s.account_uid and ac.active
    join client c on c.uid = s.client_uid and c.active
    join person p on p.client_uid = s.client_uid and p.uid = s.person_uid and p.active
    join warden_assignment a on a.client_uid = s.client_uid and a.uid = s.assignment_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    where si.assignment_uid = a.uid and ${isLive} and ${stands}`
}
