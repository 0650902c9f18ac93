import { type RawBuilder, sql } from 'kysely'
import type { EventName } from '#kernel/event-name.ts'
import type { AssignmentUid, ClientUid, EventTypeUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import { claimKeys } from '#server/http/idempotency.ts'
import { senderOf } from '#server/http/record-on-duty.ts'
import { each, type RecordKind } from '#server/platform/db/batches.ts'
import { type Db, prepared, type Tx } from '#server/platform/db/db.ts'
import { attendance, wasOnDuty } from '#server/wardens/attendance.ts'
import { eventName } from '#server/wardens/event-name.ts'
import { assignmentIsCurrent, liveSessions } from '#server/wardens/live-session.ts'
import { managersOnDuty } from '#server/wardens/managers-on-duty.ts'
import { areaMeets, areaRow } from '#server/wardens/warden-area.ts'
import type { ReportData } from '../calls/report-in.ts'

/** The client of a participation of these accounts, open or closed. Looks across clients, so use the system role. */
export function findOwnSignIn(system: Db, accountUids: readonly string[], signInUid: SignInUid) {
  return system
    .selectFrom('wardenSignIn as si')
    .innerJoin('person as p', (join) =>
      join.onRef('p.clientUid', '=', 'si.clientUid').onRef('p.uid', '=', 'si.personUid'),
    )
    .innerJoin('client as c', 'c.uid', 'p.clientUid')
    .select(['si.clientUid', 'si.personUid', 'si.uid', 'si.assignmentUid', 'si.eventUid'])
    .where('si.uid', '=', signInUid)
    .where('p.accountUid', 'in', accountUids)
    .where('p.active', '=', true)
    .where('c.active', '=', true)
    .executeTakeFirst()
}

export interface LockedSignIn {
  uid: SignInUid
  eventUid: EventUid
  personUid: PersonUid
  reportedIn: boolean
  attendance: Attendance
  wasOnDuty: boolean
  isCurrent: boolean
}

/** Locks a participation of a running event until the transaction ends, so that the event cannot end meanwhile. */
export async function lockOpenSignIn(tx: Tx, signInUid: SignInUid): Promise<LockedSignIn | undefined> {
  const { rows } = await sql<LockedSignIn>`
    select si.uid, si.event_uid, si.person_uid, si.reported_in, ${attendance} as attendance,
      ${wasOnDuty} as was_on_duty,
      ${assignmentIsCurrent} as is_current
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    where si.uid = ${signInUid} and si.closed_at is null
    for update of si`.execute(tx)
  return rows[0]
}

export async function setOnDuty(tx: Tx, signInUid: SignInUid): Promise<void> {
  await tx
    .updateTable('wardenSignIn')
    .set({
      reportedIn: true,
      onDuty: true,
      notAvailable: false,
      reportedInAt: sql`coalesce(reported_in_at, now())`,
      onDutyAt: sql`now()`,
    })
    .where('uid', '=', signInUid)
    .execute()
}

export interface OwnReportIn {
  /** The session. Its assignment decides the participation in the running event. */
  tokenHash: Buffer
  key: string | null
  fingerprint: Buffer
  /** The reply to a repeat with the same key. */
  reply: string
}

/**
 * Reports in with one statement and one round trip for all who wait, because everyone reports in within a minute. A
 * record without a row changed nothing. `claimed: false` means that the key was used before. No two records may have one
 * key; two sessions of one participation may come together.
 *
 * It runs as `evac_system` before the clients are known, so each join carries the client of the token's row.
 */
export const ownReportIns: RecordKind<OwnReportIn, { claimed: boolean }> = {
  name: 'report_in',
  statement: putOnDuty,
  senderOf,
  apartBy: ({ key }) => (key === null ? [] : [key]),
}

function putOnDuty(records: readonly OwnReportIn[]): RawBuilder<{ claimed: boolean; n: number }> {
  const all = each(records)
  return sql<{ claimed: boolean; n: number }>`${prepared('put_on_duty')}
    with asked as (
      -- 1. The records as sent, numbered from 1.
      select *
      from unnest(${all('tokenHash')}::bytea[], ${all('key')}::text[], ${all('fingerprint')}::bytea[],
          ${all('reply')}::jsonb[]) with ordinality
        as r (token_hash, key, fingerprint, reply, n)
    ), actor as materialized (
      -- 2. The senders, each with the participation of a current assignment.
      select q.n, q.key, q.fingerprint, q.reply, s.client_uid, s.uid as session_uid,
        s.person_uid as actor_person_uid, si.uid as sign_in_uid
      from ${liveSessions} and ${assignmentIsCurrent} and si.uid is not null
    ), held as (
      -- 3. The participations, locked in order of their uid. A statement that waited sees the winner's row: a second tap
      --    changes nothing, and after the end of the event the participation is closed.
      select a.*, si.uid, si.event_uid, si.person_uid, si.on_duty, ${wasOnDuty} as was_on_duty, ${attendance} as attendance
      from actor a
      join warden_sign_in si on si.client_uid = a.client_uid and si.uid = a.sign_in_uid and si.closed_at is null
      order by si.uid
      for no key update of si
    ), ${claimKeys('held')}, accepted as (
      -- 4. Each participation goes on duty once, with a key that was not used before.
      select distinct on (uid) * from answered where claimed and not on_duty order by uid, n
    ), changed as (
      -- 5. The participations and the journal.
      update warden_sign_in si
      set reported_in = true, on_duty = true, not_available = false,
        reported_in_at = coalesce(si.reported_in_at, now()), on_duty_at = now()
      from accepted t
      where si.client_uid = t.client_uid and si.uid = t.uid
    ), journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, action, subject_type,
        subject_uid, before, after)
      select client_uid, event_uid, person_uid, uid, session_uid, case when was_on_duty then 'warden_rejoined' else 'warden_reported_in' end,
        'sign_in', uid, jsonb_build_object('attendance', attendance), jsonb_build_object('attendance', 'on_duty')
      from accepted
    )
    select n, claimed from answered`
}

export async function setNotAvailable(tx: Tx, signInUid: SignInUid): Promise<void> {
  await tx
    .updateTable('wardenSignIn')
    .set({
      reportedIn: true,
      notAvailable: true,
      reportedInAt: sql`coalesce(reported_in_at, now())`,
      notAvailableAt: sql`now()`,
    })
    .where('uid', '=', signInUid)
    .execute()
}

/** A participation on duty. Someone is a different person in each organisation. */
export interface Duty {
  clientUid: ClientUid
  eventUid: EventUid
  personUid: PersonUid
}

/**
 * Active events of these clients in which these accounts are on duty, in the order of all locks. More than one only if
 * someone changed cards. `onlySignInUid` restricts it to one participation. For all clients use the system role.
 */
export async function listDuties(
  db: Db,
  accountUids: readonly string[],
  clientUids: readonly ClientUid[] | null,
  onlySignInUid: SignInUid | null,
): Promise<Duty[]> {
  const { rows } = await sql<Duty>`
    select distinct p.client_uid, e.uid as event_uid, p.uid as person_uid
    from person p
    join event e on e.client_uid = p.client_uid and e.ended_at is null
    join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid and si.person_uid = p.uid and si.on_duty
    where p.account_uid = any (${accountUids}::uuid[]) and (${clientUids}::uuid[] is null or p.client_uid = any (${clientUids}::uuid[]))
      and si.uid = coalesce(${onlySignInUid}::uuid, si.uid)
    order by e.uid`.execute(db)
  return rows
}

/** Takes these participations off duty, or only one of them. Returns them. */
export async function setOffDuty(
  tx: Tx,
  duties: readonly Duty[],
  onlySignInUid: SignInUid | null,
): Promise<(Duty & { uid: SignInUid })[]> {
  const { rows } = await sql<Duty & { uid: SignInUid }>`
    update warden_sign_in si set on_duty = false, off_duty_at = now()
    from jsonb_to_recordset(${JSON.stringify(duties)}::jsonb) as d ("clientUid" uuid, "eventUid" uuid, "personUid" uuid)
    where si.client_uid = d."clientUid" and si.event_uid = d."eventUid" and si.person_uid = d."personUid" and si.on_duty
      and si.uid = coalesce(${onlySignInUid}::uuid, si.uid)
    returning si.uid, si.client_uid, si.event_uid, si.person_uid`.execute(tx)
  return rows
}

/**
 * Locks an event for decisions about the whole event: its end, the last manager leaving. Undefined if it has ended.
 * Inserts of rows that refer to the event do not wait.
 */
export function lockActiveEvent(tx: Tx, eventUid: EventUid) {
  return tx
    .selectFrom('event')
    .select(['uid', 'siteUid'])
    .where('uid', '=', eventUid)
    .where('endedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The people on duty who can manage the event. */
export async function listManagersOnDuty(tx: Tx, eventUid: EventUid): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    select distinct si.person_uid from ${managersOnDuty(eventUid)}`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

/** Who is in command, else of those who can manage the event the one who has been on duty longest. */
export async function findChiefOnDuty(tx: Tx, eventUid: EventUid): Promise<ReportData['data']['chief']> {
  const { rows } = await sql<NonNullable<ReportData['data']['chief']>>`${prepared('chief_on_duty')}
    select a.uid as id, p.name, r.name as role, p.mobile as phone
    from ${managersOnDuty(eventUid)}
    order by not exists (select from command_turn t where t.client_uid = si.client_uid and t.event_uid = si.event_uid
      and t.sign_in_uid = si.uid and t.ended_at is null), si.on_duty_at, a.uid limit 1`.execute(tx)
  return rows[0] ?? null
}

export interface ReportRow {
  roleName: string
  areaDomain: string
  modules: string[]
  siteName: string
  event: ({ uid: EventUid; id: EventTypeUid } & EventName) | null
  buildings: string[]
  areas: { id: string; name: string }[]
}

/**
 * Role, event with buildings, and areas of an assignment. For the domain Site, the site's buildings. Before the
 * assignment is accepted, the event is shown without a participation. Undefined if it was declined or withdrawn.
 */
export async function findReport(
  tx: Tx,
  assignmentUid: AssignmentUid,
  eventUid: EventUid | null,
): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`${prepared('find_report')}
    select r.name as role_name, r.area_domain, r.modules, st.name as site_name,
      (select jsonb_build_object('uid', e.uid, 'id', et.uid) || ${eventName}
         from event e join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
        where e.client_uid = a.client_uid and e.uid = running.uid) as event,
      array(select b.name from event_building eb join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
        where eb.client_uid = a.client_uid and eb.event_uid = running.uid and eb.active order by b.name) as buildings,
      coalesce(case when r.area_domain = 'Site'
        then (select jsonb_agg(jsonb_build_object('id', b.uid, 'name', b.name) order by b.name)
                from building b where b.client_uid = a.client_uid and b.site_uid = a.site_uid and b.retired_at is null)
        else area.places
      end, '[]') as areas
    from warden_assignment a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    cross join ${areaRow()}
    left join event running on running.client_uid = a.client_uid and running.site_uid = a.site_uid
      and running.ended_at is null and (running.uid = ${eventUid}
        or a.status = 'Offered' and (r.area_domain = 'Site' or ${areaMeets(sql`running.uid`)}))
    where a.uid = ${assignmentUid} and a.status in ('Offered', 'Accepted')`.execute(tx)
  return rows[0]
}

export async function insertSignInLog(
  tx: Tx,
  row: {
    clientUid: ClientUid
    accountUid: string
    personUid: PersonUid
    assignmentUid: AssignmentUid | null
    eventUid: EventUid | null
    method: string
    peerEmail: string | null
  },
): Promise<void> {
  await tx.insertInto('signInLog').values(row).execute()
}

/** The person of these accounts with this email, preferably of the session's client. Use the system role. */
export function findPersonByEmail(
  system: Db,
  own: { accountUids: readonly string[]; personUid: PersonUid },
  email: string,
) {
  return system
    .selectFrom('person as p')
    .innerJoin('client as c', 'c.uid', 'p.clientUid')
    .select(['p.uid as personUid', 'p.clientUid'])
    .where('p.accountUid', 'in', own.accountUids)
    .where(sql`lower(p.email)`, '=', email.toLowerCase())
    .where('p.active', '=', true)
    .where('c.active', '=', true)
    .orderBy(sql`p.uid <> ${own.personUid}`)
    .orderBy('p.uid')
    .limit(1)
    .executeTakeFirst()
}
