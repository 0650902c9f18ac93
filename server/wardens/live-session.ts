import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, EventUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { Attendance, EventKind } from '#kernel/vocabulary.ts'
import { each, type InBatch, type RecordKind } from '../platform/db/batches.ts'
import { type Db, prepared } from '../platform/db/db.ts'
import type { Actor, ActorAssignment } from './actor.ts'
import { attendance } from './attendance.ts'

/**
 * The joins behind every look-up of a token: s session, c client, a assignment, r role, st site, e the active event at
 * that site, si the open participation. `lateral … offset 0` fixes which columns an index is searched by: a kept plan must
 * not read the rows of a client where it needs one.
 */
const ofSession = sql`
    join account ac on ac.uid = s.account_uid and ac.active
    join client c on c.uid = s.client_uid and c.active
    join person p on p.client_uid = s.client_uid and p.uid = s.person_uid and p.active
    left join warden_assignment a on a.client_uid = s.client_uid and a.uid = s.assignment_uid
    left join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    left join lateral (select * from site where client_uid = a.client_uid and uid = a.site_uid offset 0) st on true
    left join lateral (
      select * from event where client_uid = a.client_uid and site_uid = a.site_uid and ended_at is null offset 0
    ) e on true
    left join lateral (
      select * from warden_sign_in where client_uid = e.client_uid and event_uid = e.uid and assignment_uid = a.uid
        and closed_at is null offset 0
    ) si on true`
/**
 * Not revoked, not expired, and not opened by an address that the person no longer has. That of a warden who was on duty when the address was
 * changed goes on until that duty ends: a later one does not bring it back.
 */
export const isLive = sql`s.revoked_at is null and s.expires_at > now() and (s.address_left_at is null or exists (
  select from person px
  join warden_assignment ax on ax.client_uid = px.client_uid and ax.person_uid = px.uid
  join warden_sign_in sx on sx.client_uid = ax.client_uid and sx.assignment_uid = ax.uid and sx.closed_at is null
  where px.account_uid = any (s.account_uid || s.further_account_uids)
    and sx.on_duty and sx.on_duty_at <= s.address_left_at))`

/**
 * The sessions of the part `asked`, which has a token_hash: q asked, and what `ofSession` joins. No row if the token is
 * unknown, expired or revoked, or if its account, client or person has ended. Each token is looked up in the index, also
 * by a plan that was made when there were few sessions.
 */
export const liveSessions = sql`
    asked q
    cross join lateral (select * from session where token_hash = q.token_hash offset 0) s
    ${ofSession}
    where ${isLive}`

/** False for a session that has expired or was revoked, or whose account, client or person has ended. */
export async function isLiveSession(system: Db, sessionUid: string): Promise<boolean> {
  const { rows } = await sql`
    select from session s
    join account ac on ac.uid = s.account_uid and ac.active
    join client c on c.uid = s.client_uid and c.active
    join person p on p.client_uid = s.client_uid and p.uid = s.person_uid and p.active
    where s.uid = ${sessionUid} and ${isLive}`.execute(system)
  return rows.length === 1
}

const today = sql`(now() at time zone st.timezone)::date`
/** Accepted, and in date today at the site: the warden belongs to events that start there now. */
export const assignmentIsInDate = sql<boolean>`(a.status = 'Accepted' and ${today} between a.date_from and a.date_to)`
/**
 * The last day at the site has not passed, or its warden `si` is on duty in the running event. Midnight and
 * imports take no one off duty; such wardens stay until they go off duty or the event ends.
 */
export const assignmentHasNotLapsed = sql<boolean>`(a.date_to >= ${today} or coalesce(si.on_duty, false))`
/** Accepted, begun and not lapsed. The role's modules count only then. */
export const assignmentIsCurrent = sql<boolean>`
  (a.status = 'Accepted' and a.date_from <= ${today} and ${assignmentHasNotLapsed})`

/**
 * The records of the part `asked`, which has a token_hash and a module, whose senders may record: on duty, with the
 * module. Each with its client, event and sender. A statement has them in a `materialized` part, so that it searches what
 * follows by whole keys.
 */
export const actorsOnDuty = sql`
      select q.*, s.client_uid, s.uid as session_uid, s.person_uid as actor_person_uid, si.uid as actor_sign_in_uid,
        p.name as actor_name, e.uid as event_uid,
        coalesce(e.counts_from, e.began_at) as began_at
      from ${liveSessions} and si.on_duty and ${assignmentIsCurrent} and q.module = any (r.modules)`

interface ActorRow extends Omit<Actor, 'assignment' | 'event' | 'signIn'> {
  assignmentUid: AssignmentUid | null
  siteUid: SiteUid
  timezone: string
  areaDomain: ActorAssignment['areaDomain']
  modules: string[]
  isCurrent: boolean
  eventUid: EventUid | null
  eventKind: EventKind
  liveUnseen: Date | null
  signInUid: SignInUid | null
  reportedIn: boolean
  attendance: Attendance
}

interface Token {
  tokenHash: Buffer
}

/** Look-ups that wait share a statement, as records do. */
const actorLookUps: RecordKind<Token, ActorRow> = {
  name: 'find_actor',
  statement: lookUpActors,
  senderOf: ({ tokenHash }) => tokenHash.toString('latin1'),
  apartBy: () => [],
}

/** The one query before every call: who holds this token, in which role and event, and whether on duty. */
export async function findActor(inBatch: InBatch, tokenHash: Buffer): Promise<Actor | undefined> {
  const row = await inBatch(actorLookUps, { tokenHash })
  return row && presentActor(row)
}

function lookUpActors(tokens: readonly Token[]): RawBuilder<ActorRow & { n: number }> {
  return sql<ActorRow & { n: number }>`${prepared('find_actor')}
    with asked as (
      select * from unnest(${each(tokens)('tokenHash')}::bytea[]) with ordinality as r (token_hash, n)
    )
    select q.n, s.uid as "sessionUid", s.account_uid || s.further_account_uids as "accountUids", s.client_uid as "clientUid",
      s.person_uid as "personUid", s.sign_in_method as "signInMethod", s.is_report_in_token as "isReportInToken",
      s.sign_in_uid as "linkSignInUid", s.expires_at as "expiresAt", c.sms_allowed as "smsAllowed",
      s.selected_building_uid as "selectedBuildingUid", s.selected_floor_uid as "selectedFloorUid",
      a.uid as "assignmentUid", a.site_uid as "siteUid", st.timezone, r.area_domain as "areaDomain", r.modules,
      ${assignmentIsCurrent} as "isCurrent", e.uid as "eventUid", e.kind as "eventKind",
       case when si.on_duty and si.live_seen_at is null and si.on_duty_at < e.live_from then e.live_from end as "liveUnseen",
       si.uid as "signInUid", si.reported_in as "reportedIn",
      ${attendance} as attendance
    from ${liveSessions}`
}

function presentActor(row: ActorRow): Actor {
  return {
    sessionUid: row.sessionUid,
    accountUids: row.accountUids,
    clientUid: row.clientUid,
    personUid: row.personUid,
    signInMethod: row.signInMethod,
    isReportInToken: row.isReportInToken,
    linkSignInUid: row.linkSignInUid,
    expiresAt: row.expiresAt,
    smsAllowed: row.smsAllowed,
    assignment: row.assignmentUid
      ? {
          uid: row.assignmentUid,
          siteUid: row.siteUid,
          timezone: row.timezone,
          areaDomain: row.areaDomain,
          isCurrent: row.isCurrent,
          modules: row.modules,
        }
      : null,
    event:
      row.eventUid && row.signInUid ? { uid: row.eventUid, kind: row.eventKind, liveUnseen: row.liveUnseen } : null,
    signIn: row.signInUid ? { uid: row.signInUid, attendance: row.attendance, reportedIn: row.reportedIn } : null,
    selectedBuildingUid: row.selectedBuildingUid,
    selectedFloorUid: row.selectedFloorUid,
  }
}
