import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, ClientUid, EventUid, PersonUid, SiteUid, UploadUid, WaitingUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

export interface NewWaiting {
  clientUid: ClientUid
  kind: 'deactivation' | 'assignment_end'
  personUid: PersonUid
  assignmentUid: AssignmentUid | null
  /** Why the assignment ends. */
  reason: string | null
  /** Null: a directory or the operator. */
  byPersonUid: PersonUid | null
  /** The upload that asks for it. */
  uploadUid?: UploadUid
}

export interface OpenWaiting extends NewWaiting {
  uid: WaitingUid
}

const columns = sql`w.uid, w.client_uid, w.kind, w.person_uid, w.assignment_uid, w.wanted ->> 'reason' as reason, w.by_person_uid`

/** Where the person, or the person with the assignment, is on duty: `a` their assignment, `st` its site. */
const posts = sql`
    warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where si.client_uid = w.client_uid and si.person_uid = w.person_uid and si.on_duty and si.closed_at is null
      and (w.assignment_uid is null or si.assignment_uid = w.assignment_uid)`

/** A newer wish takes the place of an older one. */
export async function replaceWaiting(tx: Tx, { reason, ...waiting }: NewWaiting): Promise<WaitingUid> {
  const { clientUid, kind, personUid, assignmentUid } = waiting
  await sql`
    update waiting_change set done_at = now(), outcome = 'replaced'
    where client_uid = ${clientUid} and kind = ${kind} and person_uid = ${personUid}
      and assignment_uid is not distinct from ${assignmentUid}::uuid and done_at is null`.execute(tx)
  const { uid } = await tx
    .insertInto('waitingChange')
    .values({ ...waiting, wanted: JSON.stringify({ reason }) })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid as WaitingUid
}

/** Locks the open change of a person, or of their assignment, until the transaction ends. */
export async function lockWish(
  tx: Tx,
  clientUid: ClientUid,
  wish: { personUid: PersonUid } | { assignmentUid: AssignmentUid },
): Promise<OpenWaiting | undefined> {
  const isMeant =
    'personUid' in wish
      ? sql`w.kind = 'deactivation' and w.person_uid = ${wish.personUid}`
      : sql`w.assignment_uid = ${wish.assignmentUid}`
  const { rows } = await sql<OpenWaiting>`
    select ${columns} from waiting_change w
    where w.client_uid = ${clientUid} and w.done_at is null and ${isMeant} for update`.execute(tx)
  return rows[0]
}

/** Changes whose warden is on duty no more: ends of assignments, then deactivations, the oldest first. Without `but`. Looks across organisations, so use the system role. */
export async function listDue(system: Db, but: readonly WaitingUid[]): Promise<OpenWaiting[]> {
  const { rows } = await sql<OpenWaiting>`
    select ${columns} from waiting_change w
    where w.done_at is null and w.uid <> all (${but}::uuid[]) and not exists (select from ${posts})
    order by w.kind, w.since, w.uid limit 500`.execute(system)
  return rows
}

/** Locks an open change until the transaction ends. Undefined if it is done, or of another organisation. */
export async function lockWaiting(tx: Tx, clientUid: ClientUid, uid: WaitingUid): Promise<OpenWaiting | undefined> {
  const { rows } = await sql<OpenWaiting>`
    select ${columns} from waiting_change w
    where w.client_uid = ${clientUid} and w.uid = ${uid} and w.done_at is null for update`.execute(tx)
  return rows[0]
}

/** True if the person is within the condition on `p`. */
export async function isReached(tx: Tx, clientUid: ClientUid, isWithin: RawBuilder<boolean>, personUid: PersonUid) {
  const { rows } = await sql`
    select from person p where p.client_uid = ${clientUid} and p.uid = ${personUid} and ${isWithin}`.execute(tx)
  return rows.length === 1
}

/** What waits, in lock order. */
export async function listOpen(db: Db, clientUid: ClientUid): Promise<OpenWaiting[]> {
  const { rows } = await sql<OpenWaiting>`
    select ${columns} from waiting_change w where w.client_uid = ${clientUid} and w.done_at is null order by w.uid`.execute(
    db,
  )
  return rows
}

/** Changes that an upload asks for, done or not, locked until the transaction ends. */
export async function lockOfUpload(tx: Tx, clientUid: ClientUid, uploadUid: UploadUid) {
  const { rows } = await sql<OpenWaiting & { outcome: string | null }>`
    select ${columns}, w.outcome from waiting_change w
    where w.client_uid = ${clientUid} and w.upload_uid = ${uploadUid} order by w.uid for update`.execute(tx)
  return rows
}

/** True for the first who tells the person that the change waits for another administrator. */
export async function markTold(tx: Tx, { clientUid, uid }: Pick<OpenWaiting, 'clientUid' | 'uid'>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update waiting_change set wanted = wanted || '{"told": true}'
    where client_uid = ${clientUid} and uid = ${uid} and done_at is null and not wanted ? 'told'`.execute(tx)
  return numAffectedRows === 1n
}

export async function endWaiting(
  tx: Tx,
  { clientUid, uid }: Pick<OpenWaiting, 'clientUid' | 'uid'>,
  outcome: 'happened' | 'dropped',
): Promise<void> {
  await tx
    .updateTable('waitingChange')
    .set({ doneAt: sql`now()`, outcome })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .execute()
}

/** The posts where the change finds its person on duty, in lock order of their sites. */
export async function listPosts(tx: Tx, { clientUid, uid }: Pick<OpenWaiting, 'clientUid' | 'uid'>) {
  const { rows } = await sql<{ siteUid: SiteUid; assignmentUid: AssignmentUid }>`
    select st.uid as site_uid, si.assignment_uid
    from waiting_change w cross join lateral (select si.assignment_uid, e.site_uid from ${posts}) si
    join site st on st.client_uid = w.client_uid and st.uid = si.site_uid
    where w.client_uid = ${clientUid} and w.uid = ${uid}
    order by st.uid, si.assignment_uid`.execute(tx)
  return rows
}

interface WaitingRow {
  uid: WaitingUid
  kind: OpenWaiting['kind']
  person: string
  site: string | null
  by: string | null
  since: Date
}

/** What waits within reach, the oldest first. */
export async function listWaiting(tx: Tx, clientUid: ClientUid, isWithin: RawBuilder<boolean>): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select w.uid, w.kind, p.name as person,
      (select min(post.name) from (select st.name from ${posts}) post) as site,
      by.name as by, w.since
    from waiting_change w
    join person p on p.client_uid = w.client_uid and p.uid = w.person_uid
    left join person by on by.client_uid = w.client_uid and by.uid = w.by_person_uid
    where w.client_uid = ${clientUid} and w.done_at is null and ${isWithin}
    order by w.since, w.uid limit 200`.execute(tx)
  return rows
}

/** Running events of the sites within the condition on `st`, the oldest first. */
export async function listRunningEvents(tx: Tx, clientUid: ClientUid, isWithin: ReturnType<typeof sql<boolean>>) {
  const { rows } = await sql<{ uid: EventUid; site: string; startedAt: Date }>`
    select e.uid, st.name as site, e.started_at from event e
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where e.client_uid = ${clientUid} and e.ended_at is null and ${isWithin}
    order by e.started_at, e.uid`.execute(tx)
  return rows
}
