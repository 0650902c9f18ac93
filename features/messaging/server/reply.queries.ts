import { sql } from 'kysely'
import type { Action } from '#kernel/actions.ts'
import type { ClientUid, EvacueeUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { prepared, type Tx } from '#server/platform/db/db.ts'

/** Claims the id of a text. False if it was processed before. Waits for a concurrent claim. */
export async function claimReply(tx: Tx, providerId: string): Promise<boolean> {
  const claimed = await tx
    .insertInto('receivedReply')
    .values({ providerId, outcome: 'no_event' })
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
  name: string
  country: string
  smsAllowed: boolean
  /** The last message to them before the reply: its time, its steady time, and whether it asks for a coded answer. */
  askedAt: Date | null
  askedSteadyAt: Date | null
  asksForCode: boolean
  action: Action
  actionBefore: Action | null
}

/** More people than this have no number in common. */
const mostOfNumber = 50

/**
 * The evacuees of running events with this number, first the one who was last written to. A reply never answers a message
 * that is newer than it.
 */
export async function listAnsweringEvacuees(
  tx: Tx,
  number: Number,
  receivedAt: Date | null,
): Promise<AnsweringEvacuee[]> {
  const { rows } = await sql<AnsweringEvacuee>`${prepared('list_answering_evacuees')}
    select e.client_uid, e.event_uid, e.uid as evacuee_uid, e.person_uid, p.name, c.country,
      c.sms_allowed, asked.created_at as asked_at, asked.written_at as asked_steady_at,
      -- an answer to a question of the drill, or of before the action changed, is no answer now
      coalesce(asked.automated_response and asked.written_at >= coalesce(greatest(ev.counts_from, e.set_back_at), '-infinity'), false) as asks_for_code,
      eb.action, eb.action_before
    from person p
    join client c on c.uid = p.client_uid and c.active
    join evacuee e on e.client_uid = p.client_uid and e.person_uid = p.uid and e.active
    join event ev on ev.client_uid = e.client_uid and ev.uid = e.event_uid and ev.ended_at is null
    join event_building eb on eb.client_uid = e.client_uid and eb.event_uid = e.event_uid and eb.building_uid = e.building_uid
    left join lateral (select seq, created_at, written_at, automated_response from message m
      where m.client_uid = e.client_uid and m.evacuee_uid = e.uid and m.direction = 'out'
        and m.written_at <= coalesce(${receivedAt}::timestamptz, 'infinity')
      order by m.seq desc limit 1) asked on true
    where p.mobile = ${number.mobile} and ${isOfClient(number)}
    order by asked.seq desc nulls last, ev.started_at desc, e.uid
    limit ${mostOfNumber}`.execute(tx)
  return rows
}

/** Locks the person before the message is stored, so that two replies of one person take turns. */
export async function lockEvacuee(tx: Tx, clientUid: string, evacueeUid: string): Promise<void> {
  await sql`select from evacuee where client_uid = ${clientUid} and uid = ${evacueeUid} for no key update`.execute(tx)
}

export interface AnsweringWarden {
  clientUid: ClientUid
  eventUid: EventUid
  signInUid: SignInUid
  personUid: PersonUid
  name: string
  country: string
  smsAllowed: boolean
  /** The warden who last wrote to them, if anyone did. */
  writerSignInUid: SignInUid | null
}

/** The wardens of running events with this number, first the one who was last written to. */
export async function listAnsweringWardens(tx: Tx, number: Number): Promise<AnsweringWarden[]> {
  const { rows } = await sql<AnsweringWarden>`
    select si.client_uid, si.event_uid, si.uid as sign_in_uid, si.person_uid, p.name, c.country,
      c.sms_allowed, m.sender_sign_in_uid as writer_sign_in_uid
    from person p
    join client c on c.uid = p.client_uid and c.active
    join warden_sign_in si on si.client_uid = p.client_uid and si.person_uid = p.uid and si.closed_at is null
    join event ev on ev.client_uid = si.client_uid and ev.uid = si.event_uid and ev.ended_at is null
    left join lateral (select seq, sender_sign_in_uid from message m
      where m.client_uid = si.client_uid and m.event_uid = si.event_uid and m.recipient_sign_in_uid = si.uid
      order by m.seq desc limit 1) m on true
    where p.mobile = ${number.mobile} and ${isOfClient(number)}
    order by m.seq desc nulls last, ev.started_at desc, si.uid
    limit ${mostOfNumber}`.execute(tx)
  return rows
}

export interface EventForText {
  clientUid: ClientUid
  eventUid: EventUid
  country: string
  smsAllowed: boolean
  /** Of the only person of the organisation with the number, who is not in the event. */
  name: string | null
}

/**
 * The running events that a text of a number that no one in them has may be for: those of the organisations that know it,
 * else all.
 */
export async function listEventsForText(tx: Tx, number: Number): Promise<EventForText[]> {
  const { rows } = await sql<EventForText & { isKnown: boolean }>`
    select e.client_uid, e.uid as event_uid, c.country, c.sms_allowed, known.people > 0 as is_known,
      case when known.people = 1 then known.name end as name
    from event e
    join client c on c.uid = e.client_uid and c.active
    left join lateral (select count(*) as people, min(p.name) as name from person p
      where p.client_uid = e.client_uid and (p.mobile = ${number.mobile} or p.second_mobile = ${number.mobile}) and p.active) known on true
    where e.ended_at is null and (${number.clientUid}::uuid is null or e.client_uid = ${number.clientUid}::uuid)
    order by e.uid`.execute(tx)
  const known = rows.filter(({ isKnown }) => isKnown)
  return known.length > 0 ? known : rows
}

/** A running event of an organisation that is not in use has someone with this number. */
export async function isOfSuspended(tx: Tx, number: Number): Promise<boolean> {
  const { rows } = await sql`
    select from person p
    join client c on c.uid = p.client_uid and not c.active
    join event e on e.client_uid = p.client_uid and e.ended_at is null
    where p.mobile = ${number.mobile} and ${isOfClient(number)} limit 1`.execute(tx)
  return rows.length > 0
}

/** The newest texts of the event to these people, or to a number of no one: phones quote them. */
export async function listSentTexts(
  tx: Tx,
  { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid },
  { mobile, personUids }: { mobile: string; personUids: readonly PersonUid[] },
): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    select body from sms
    where client_uid = ${clientUid} and event_uid = ${eventUid} and to_mobile = ${mobile}
      and (person_uid = any (${personUids}::uuid[]) or person_uid is null)
    order by created_at desc limit 100`.execute(tx)
  return [...new Set(rows.map(({ body }) => body))]
}

interface Incoming {
  clientUid: string
  eventUid: string
  text: string
  providerId: string
  /** The names of all who have the number. */
  sharedWith?: string | null
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
