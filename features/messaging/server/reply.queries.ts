import { sql } from 'kysely'
import type { ClientUid, EvacueeUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { prepared, type Tx } from '#server/platform/db/db.ts'

/** Claims the id of a text. False if it was processed before. Waits for a concurrent claim. */
export async function claimReply(tx: Tx, providerId: string): Promise<boolean> {
  const claimed = await tx
    .insertInto('receivedReply')
    .values({ providerId, outcome: 'unmatched' })
    .onConflict((oc) => oc.column('providerId').doNothing())
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

export async function updateReplyOutcome(tx: Tx, providerId: string, outcome: string): Promise<void> {
  await tx.updateTable('receivedReply').set({ outcome }).where('providerId', '=', providerId).execute()
}

/** The persons with this number, of one client or of all. */
interface Number {
  mobile: string
  clientUid: string | null
}
const isOfClient = ({ clientUid }: Number) => sql`(${clientUid}::uuid is null or p.client_uid = ${clientUid}::uuid)`

export interface AnsweringEvacuee {
  clientUid: ClientUid
  eventUid: EventUid
  evacueeUid: EvacueeUid
  personUid: PersonUid
  smsAllowed: boolean
  /** The last message to them before the reply: its time, its steady time, and whether it asks for a coded answer. */
  askedAt: Date | null
  askedSteadyAt: Date | null
  asksForCode: boolean
}

/**
 * The evacuee of a running event with this number. Of several, the one who was last written to. A reply never
 * answers a message that is newer than it.
 */
export async function findAnsweringEvacuee(
  tx: Tx,
  number: Number,
  receivedAt: Date | null,
): Promise<AnsweringEvacuee | undefined> {
  const { rows } = await sql<AnsweringEvacuee>`${prepared('find_answering_evacuee')}
    select e.client_uid, e.event_uid, e.uid as evacuee_uid, e.person_uid, c.sms_allowed, asked.created_at as asked_at,
      asked.written_at as asked_steady_at,
      -- an answer to a question of the drill is no answer in the live event that it became
      coalesce(asked.automated_response and asked.written_at >= coalesce(ev.counts_from, '-infinity'), false) as asks_for_code
    from person p
    join client c on c.uid = p.client_uid and c.active
    join evacuee e on e.client_uid = p.client_uid and e.person_uid = p.uid and e.active
    join event ev on ev.client_uid = e.client_uid and ev.uid = e.event_uid and ev.ended_at is null
    left join lateral (select seq, created_at, written_at, automated_response from message m
      where m.client_uid = e.client_uid and m.evacuee_uid = e.uid and m.direction = 'out'
        and m.written_at <= coalesce(${receivedAt}::timestamptz, 'infinity')
      order by m.seq desc limit 1) asked on true
    where p.mobile = ${number.mobile} and ${isOfClient(number)}
    order by asked.seq desc nulls last, ev.started_at desc, e.uid
    limit 1`.execute(tx)
  return rows[0]
}

/** Locks the person before the message is stored, so that two replies of one person take turns. */
export async function lockEvacuee(tx: Tx, clientUid: string, evacueeUid: string): Promise<void> {
  await sql`select from evacuee where client_uid = ${clientUid} and uid = ${evacueeUid} for no key update`.execute(tx)
}

export interface AnsweringWarden {
  clientUid: ClientUid
  eventUid: EventUid
  signInUid: SignInUid
  /** The warden who last wrote to them. */
  writerSignInUid: SignInUid
}

/** The warden of a running event with this number, to whom another warden has written. */
export async function findAnsweringWarden(tx: Tx, number: Number): Promise<AnsweringWarden | undefined> {
  const { rows } = await sql<AnsweringWarden>`
    select si.client_uid, si.event_uid, si.uid as sign_in_uid, m.sender_sign_in_uid as writer_sign_in_uid
    from person p
    join client c on c.uid = p.client_uid and c.active
    join warden_sign_in si on si.client_uid = p.client_uid and si.person_uid = p.uid and si.closed_at is null
    join event ev on ev.client_uid = si.client_uid and ev.uid = si.event_uid and ev.ended_at is null
    join lateral (select seq, sender_sign_in_uid from message m
      where m.client_uid = si.client_uid and m.event_uid = si.event_uid and m.recipient_sign_in_uid = si.uid
      order by m.seq desc limit 1) m on true
    where p.mobile = ${number.mobile} and ${isOfClient(number)}
    order by m.seq desc
    limit 1`.execute(tx)
  return rows[0]
}

interface Incoming {
  clientUid: string
  eventUid: string
  text: string
  providerId: string
}

export async function insertEvacueeReply(tx: Tx, { evacueeUid, ...reply }: Incoming & { evacueeUid: string }) {
  const { seq } = await tx
    .insertInto('message')
    .values({ ...reply, evacueeUid, kind: 'evacuee', direction: 'in' })
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq
}

export async function insertWardenReply(
  tx: Tx,
  { signInUid, writerSignInUid, ...reply }: Incoming & { signInUid: string; writerSignInUid: string },
) {
  const { seq } = await tx
    .insertInto('message')
    .values({
      ...reply,
      senderSignInUid: signInUid,
      recipientSignInUid: writerSignInUid,
      kind: 'warden',
      direction: 'in',
    })
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq
}

/** Stores the status that the reply set. */
export async function updateRecorded(tx: Tx, clientUid: ClientUid, seq: number, recorded: 'safe' | 'danger') {
  await tx.updateTable('message').set({ recorded }).where('clientUid', '=', clientUid).where('seq', '=', seq).execute()
}

/** All persons with this number, each with their client, and their event if they are in one. */
export async function journalRefusal(tx: Tx, number: Number, action: 'sms_refused' | 'sms_accepted'): Promise<void> {
  await sql`
    insert into journal (client_uid, event_uid, actor_person_uid, action, subject_type, subject_uid)
    select p.client_uid, (select e.event_uid from evacuee e
        join event ev on ev.client_uid = e.client_uid and ev.uid = e.event_uid and ev.ended_at is null
        where e.client_uid = p.client_uid and e.person_uid = p.uid and e.active limit 1),
      p.uid, ${action}, 'person', p.uid
    from person p where p.mobile = ${number.mobile}`.execute(tx)
}
