import { sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { queueTexts } from './queue.queries.ts'

/** Queues one text per message, to its evacuee or warden. All messages have the same words. Returns the queued texts. */
export async function insertMessageTexts(
  tx: Tx,
  { clientUid, body }: Pick<TextToPeople, 'clientUid' | 'body'>,
  seqs: readonly number[],
  segments: number,
): Promise<string[]> {
  const receivers = sql`
    select m.client_uid, m.event_uid, coalesce(e.person_uid, si.person_uid) as person_uid, si.uid as sign_in_uid, m.seq as message_seq
    from message m
    left join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid
    left join warden_sign_in si on si.client_uid = m.client_uid and si.uid = m.recipient_sign_in_uid
    where m.client_uid = ${clientUid} and m.seq = any (${seqs}::bigint[])`
  const texts = await queueTexts(tx, {
    kind: 'message',
    body,
    segments,
    receivers,
    brings: ['sign_in_uid', 'message_seq'],
  })
  return texts.filter(({ status }) => status === 'queued').map(({ uid }) => uid)
}

export interface TextToPeople {
  clientUid: ClientUid
  eventUid: EventUid
  body: string
}

/** Queues a text without a message to each of these people. */
export async function insertTexts(
  tx: Tx,
  { clientUid, eventUid, body }: TextToPeople,
  personUids: readonly string[],
): Promise<void> {
  const receivers = sql`
    select ${clientUid}::uuid as client_uid, ${eventUid}::uuid as event_uid, unnest(${personUids}::uuid[]) as person_uid`
  await queueTexts(tx, { kind: 'message', body, receivers, name: 'insert_texts' })
}

/** True if the person was sent the same words in this event since then. */
export async function wasTexted(
  tx: Tx,
  { clientUid, eventUid, body }: TextToPeople,
  personUid: PersonUid,
  since: Date,
): Promise<boolean> {
  const found = await tx
    .selectFrom('sms')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('personUid', '=', personUid)
    .where('body', '=', body)
    .where('createdAt', '>=', since)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertRefusal(tx: Tx, mobile: string): Promise<boolean> {
  const added = await tx
    .insertInto('smsRefusal')
    .values({ mobile })
    .onConflict((oc) => oc.column('mobile').doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

export async function deleteRefusal(tx: Tx, mobile: string): Promise<boolean> {
  const gone = await tx.deleteFrom('smsRefusal').where('mobile', '=', mobile).executeTakeFirst()
  return gone.numDeletedRows === 1n
}
