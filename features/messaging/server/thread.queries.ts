import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EvacueeUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { TextState } from '../calls/messaging.ts'

/** Number of newest messages that are returned. No one scrolls further back in an emergency. */
const mostShown = 1000

export interface MessageRow {
  seq: number
  direction: 'in' | 'out'
  kind: 'warden' | 'evacuee'
  text: string
  createdAt: Date
  readAt: Date | null
  recorded: SafetyStatus | null
  sharedWith: string | null
  /** The sender's participation, or the person if the sender is an evacuee. */
  senderUid: SignInUid | PersonUid
  name: string
  role: string
  textStatus: TextState['status'] | null
  textReason: string | null
  alsoTexted: boolean
}

const messages = (which: RawBuilder<unknown>, limit: number) => sql<MessageRow>`
  select m.seq, m.direction, m.kind, m.text, m.created_at, m.read_at, m.recorded, m.shared_with,
    coalesce(m.sender_sign_in_uid, e.person_uid) as sender_uid, p.name,
    coalesce(r.name, case when e.visitor then 'Visitor' else 'Occupant' end) as role,
    s.status as text_status, s.reason as text_reason, m.texted_at is not null as also_texted
  from message m
  left join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid
  left join warden_sign_in si on si.client_uid = m.client_uid and si.uid = m.sender_sign_in_uid
  left join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
  left join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
  join person p on p.client_uid = m.client_uid and p.uid = coalesce(si.person_uid, e.person_uid)
  left join sms s on s.client_uid = m.client_uid and s.message_seq = m.seq
  where ${which}
  order by m.seq desc
  limit ${limit}`

/** Messages by number, oldest first. */
export async function listMessages(db: Db, clientUid: ClientUid, seqs: readonly number[]): Promise<MessageRow[]> {
  const which = sql`m.client_uid = ${clientUid} and m.seq = any (${seqs}::bigint[])`
  const { rows } = await messages(which, seqs.length).execute(db)
  return rows.reverse()
}

export async function listEvacueeMessages(db: Db, clientUid: ClientUid, evacueeUid: EvacueeUid): Promise<MessageRow[]> {
  const which = sql`m.client_uid = ${clientUid} and m.evacuee_uid = ${evacueeUid}`
  const { rows } = await messages(which, mostShown).execute(db)
  return rows.reverse()
}

export interface Pair {
  clientUid: ClientUid
  eventUid: EventUid
  ownSignInUid: SignInUid
  otherSignInUid: SignInUid
}

/** Messages between two participations of one event. */
export async function listWardenMessages(db: Db, { clientUid, eventUid, ...pair }: Pair): Promise<MessageRow[]> {
  const which = sql`
    m.client_uid = ${clientUid} and m.event_uid = ${eventUid} and m.kind = 'warden'
    and ((m.sender_sign_in_uid = ${pair.ownSignInUid} and m.recipient_sign_in_uid = ${pair.otherSignInUid})
      or (m.sender_sign_in_uid = ${pair.otherSignInUid} and m.recipient_sign_in_uid = ${pair.ownSignInUid}))`
  const { rows } = await messages(which, mostShown).execute(db)
  return rows.reverse()
}

/** Marks messages read up to `upTo`. Newer ones were not shown and stay unread. */
export async function markWardenRead(
  tx: Tx,
  { clientUid, eventUid, ownSignInUid, otherSignInUid }: Pair,
  upTo: number,
): Promise<boolean> {
  const marked = await tx
    .updateTable('message')
    .set({ readAt: sql`now()` })
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('recipientSignInUid', '=', ownSignInUid)
    .where('senderSignInUid', '=', otherSignInUid)
    .where('readAt', 'is', null)
    .where('seq', '<=', upTo)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}

export async function markEvacueeRead(
  tx: Tx,
  clientUid: ClientUid,
  evacueeUid: EvacueeUid,
  upTo: number,
): Promise<boolean> {
  const marked = await tx
    .updateTable('message')
    .set({ readAt: sql`now()` })
    .where('clientUid', '=', clientUid)
    .where('evacueeUid', '=', evacueeUid)
    .where('direction', '=', 'in')
    .where('readAt', 'is', null)
    .where('seq', '<=', upTo)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}
