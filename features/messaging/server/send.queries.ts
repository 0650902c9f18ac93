import { sql } from 'kysely'
import { plainQuestion } from '#features/accounting/words.ts'
import { stayTexts } from '#kernel/action-words.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import { type Db, prepared, type Tx } from '#server/platform/db/db.ts'
import { attendance } from '#server/wardens/attendance.ts'

/** Locks the site against the end of its event, which begins with the same lock. */
export async function holdSite(tx: Tx, eventUid: string): Promise<void> {
  await sql`${prepared('hold_site')}
    select from site st
    join event e on e.client_uid = st.client_uid and e.site_uid = st.uid
    where e.uid = ${eventUid} for share of st`.execute(tx)
}

/** A separate statement, so that it sees what was committed while `holdSite` waited. */
export async function isRunning(tx: Tx, eventUid: EventUid): Promise<boolean> {
  const event = await tx
    .selectFrom('event')
    .select('uid')
    .where('uid', '=', eventUid)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return event !== undefined
}

export interface Recipient {
  assignmentUid: string
  signInUid: string
  personUid: string
  status: Attendance
  /** False if the warden's buildings have left the event. */
  isOpen: boolean
}

/**
 * Wardens of the event by assignment, with their current status. Locks them in one order until the commit: their status
 * cannot change meanwhile, and of two senders to one warden the second sees the first message as unread.
 */
export async function lockRecipients(tx: Tx, eventUid: string, assignmentUids: readonly string[]) {
  const { rows } = await sql<Recipient>`
    select si.assignment_uid, si.uid as sign_in_uid, si.person_uid, ${attendance} as status, si.closed_at is null as is_open
    from warden_sign_in si
    where si.event_uid = ${eventUid} and si.assignment_uid = any (${assignmentUids}::uuid[])
    order by si.uid for no key update`.execute(tx)
  return rows
}

/** Locks the caller's own participation, so that reading and new messages take turns. */
export async function lockSignIn(tx: Tx, signInUid: string): Promise<void> {
  await sql`select from warden_sign_in where uid = ${signInUid} for no key update`.execute(tx)
}

export interface Outgoing {
  clientUid: string
  eventUid: string
  senderSignInUid: string
  text: string
  groupUid?: string | null
}

/** Stores one message per recipient. Returns their numbers. */
export async function insertWardenMessages(
  tx: Tx,
  m: Outgoing,
  recipientSignInUids: readonly string[],
): Promise<{ seq: number; signInUid: string }[]> {
  const { rows } = await sql<{ seq: number; signInUid: string }>`
    insert into message (client_uid, event_uid, kind, direction, sender_sign_in_uid, recipient_sign_in_uid, text, group_uid)
    select ${m.clientUid}::uuid, ${m.eventUid}::uuid, 'warden', 'out', ${m.senderSignInUid}::uuid, recipient,
      ${m.text}::text, ${m.groupUid ?? null}::uuid
    from unnest(${recipientSignInUids}::uuid[]) as recipient
    returning seq, recipient_sign_in_uid as sign_in_uid`.execute(tx)
  return rows
}

/**
 * Journals each message, with the senders whose messages are now unread for the recipient. One statement.
 * Ids only. `sessionUid` is the sender's; a reply by text has none.
 */
export async function journalWardenMessages(
  tx: Tx,
  clientUid: string,
  seqs: readonly number[],
  sessionUid: string | null,
): Promise<void> {
  await sql`
    insert into journal (client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, action, subject_type,
      subject_uid, after)
    select m.client_uid, m.event_uid, sender.person_uid, sender.uid, ${sessionUid}::uuid, 'message_sent', 'sign_in',
      m.recipient_sign_in_uid,
      jsonb_strip_nulls(jsonb_build_object('message_id', m.seq, 'group_uid', m.group_uid,
        'thread_uid', sender.assignment_uid, 'warden_unread_msg', true, 'unread_messages_from_wardens', (
          select jsonb_agg(distinct other.assignment_uid)
          from message u
          join warden_sign_in other on other.client_uid = u.client_uid and other.uid = u.sender_sign_in_uid
          where u.client_uid = m.client_uid and u.event_uid = m.event_uid
            and u.recipient_sign_in_uid = m.recipient_sign_in_uid and u.read_at is null)))
    from message m
    join warden_sign_in sender on sender.client_uid = m.client_uid and sender.uid = m.sender_sign_in_uid
    where m.client_uid = ${clientUid} and m.seq = any (${seqs}::bigint[])
    order by m.seq`.execute(tx)
}

export interface Receiver {
  evacueeUid: string
  personUid: string
  hasMobile: boolean
  smsRefused: boolean
}

const receivers = sql`
  select e.uid as evacuee_uid, e.person_uid, p.mobile is not null as has_mobile, x.mobile is not null as sms_refused
  from evacuee e
  join person p on p.client_uid = e.client_uid and p.uid = e.person_uid
  left join sms_refusal x on x.mobile = p.mobile`

export async function findReceiver(
  db: Db,
  { clientUid, eventUid }: { clientUid: string; eventUid: string },
  personUid: string,
): Promise<Receiver | undefined> {
  const { rows } = await sql<Receiver>`
    ${receivers} where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.person_uid = ${personUid}
      and e.active`.execute(db)
  return rows[0]
}

/** The people among these who are still in the event, with what texts to them need. */
export async function listReceivers(db: Db, clientUid: string, evacueeUids: readonly string[]): Promise<Receiver[]> {
  const { rows } = await sql<Receiver>`
    ${receivers} where e.client_uid = ${clientUid} and e.uid = any (${evacueeUids}::uuid[]) and e.active`.execute(db)
  return rows
}

/** True if the words ask for a coded answer, as those of a template or of the roll call do, whatever the caller claims. */
export async function insertEvacueeMessages(
  tx: Tx,
  m: Outgoing & { automatedResponse: boolean },
  evacueeUids: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    insert into message (client_uid, event_uid, kind, direction, sender_sign_in_uid, evacuee_uid, text, automated_response, group_uid)
    select ${m.clientUid}::uuid, ${m.eventUid}::uuid, 'evacuee', 'out', ${m.senderSignInUid}::uuid, evacuee,
      ${m.text}::text, ${m.automatedResponse}::boolean and (${m.text}::text = any (${[plainQuestion, stayTexts.stay.question, stayTexts.quiet.question]}::text[]) or exists (select from message_template t
        where t.client_uid = ${m.clientUid} and t.type = 'Evacuee' and t.active and t.automated_response and t.text = ${m.text})),
      ${m.groupUid ?? null}::uuid
    from unnest(${evacueeUids}::uuid[]) as evacuee
    returning seq`.execute(tx)
  return rows.map(({ seq }) => seq)
}
