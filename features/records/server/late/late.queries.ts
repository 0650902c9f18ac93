import { sql } from 'kysely'
import type { AssignmentUid, ClientUid, EventUid, FloorStatusUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Actor } from '#server/wardens/actor.ts'

/** A participation of a warden, in an event that may be over. */
export interface Took {
  clientUid: ClientUid
  eventUid: EventUid
  signInUid: SignInUid
  assignmentUid: AssignmentUid
  modules: string[]
  startedAt: Date
  endedAt: Date | null
  /** The database's time. */
  now: Date
}

/** The participation, if it is of this person. By a report-in link only the one that the link is for. */
export async function findTook(
  tx: Tx,
  { clientUid, personUid, linkSignInUid }: Pick<Actor, 'clientUid' | 'personUid' | 'linkSignInUid'>,
  signInUid: SignInUid,
): Promise<Took | undefined> {
  const { rows } = await sql<Took>`
    select si.client_uid, si.event_uid, si.uid as sign_in_uid, si.assignment_uid, r.modules, e.started_at, e.ended_at,
      clock_timestamp() as now
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where si.client_uid = ${clientUid} and si.uid = ${signInUid} and si.person_uid = ${personUid}
      and coalesce(si.uid = ${linkSignInUid}, true)`.execute(tx)
  return rows[0]
}

/** Changes of the attendance of one warden, in their order. */
export async function listOwnAttendance(
  tx: Tx,
  { clientUid, eventUid, signInUid }: Took,
): Promise<{ at: Date; isOnDuty: boolean }[]> {
  const { rows } = await sql<{ at: Date; isOnDuty: boolean }>`
    select j.recorded_at as at, coalesce(j.after ->> 'attendance' = 'on_duty', false) as is_on_duty
    from journal j
    where j.client_uid = ${clientUid} and j.event_uid = ${eventUid} and j.subject_uid = ${signInUid}
      and j.action in ('warden_reported_in', 'warden_rejoined', 'warden_not_available', 'warden_off_duty', 'warden_removed')
    order by j.xid, j.position`.execute(tx)
  return rows
}

interface Named {
  persons: readonly PersonUid[]
  floors: readonly FloorUid[]
  statuses: readonly FloorStatusUid[]
}

/** Which of these people and floors were in the event, and which floor statuses the organisation has. */
export async function findNamed(tx: Tx, { clientUid, eventUid }: Took, named: Named): Promise<Set<string>> {
  const { rows } = await sql<{ uid: string }>`
    select person_uid as uid from evacuee
    where client_uid = ${clientUid} and event_uid = ${eventUid} and person_uid = any (${named.persons}::uuid[])
    union select floor_uid from event_floor
    where client_uid = ${clientUid} and event_uid = ${eventUid} and floor_uid = any (${named.floors}::uuid[])
    union select uid from floor_status where client_uid = ${clientUid} and uid = any (${named.statuses}::uuid[])`.execute(
    tx,
  )
  return new Set(rows.map(({ uid }) => uid))
}

/** Claims the keys of records. Returns those that were new: the others were taken during the event, or kept before. */
export async function claimKeys(
  tx: Tx,
  personUid: PersonUid,
  records: readonly { key: string; fingerprint: Buffer }[],
): Promise<Set<string>> {
  if (records.length === 0) return new Set()
  const rows = await tx
    .insertInto('idempotency')
    .values(records.map((record) => ({ ...record, personUid, reply: JSON.stringify({ status: 'kept' }) })))
    .onConflict((conflict) => conflict.columns(['personUid', 'key']).doNothing())
    .returning('key')
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** How many records of the event arrived after its end. */
export async function countLateRecords(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<number> {
  const { rows } = await sql<{ records: number }>`
    select count(*)::int as records from journal
    where client_uid = ${clientUid} and event_uid = ${eventUid} and action = 'late_record'`.execute(tx)
  return rows[0]?.records ?? 0
}
