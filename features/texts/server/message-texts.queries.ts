import { sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { insertTexts as insertTextRows, queueTexts } from './queue.queries.ts'

/** Queues one text per message, to its evacuee or warden. All messages have the same words. Returns the queued texts. */
export async function insertMessageTexts(
  tx: Tx,
  { clientUid, body }: Pick<TextToPeople, 'clientUid' | 'body'>,
  seqs: readonly number[],
  segments: number,
): Promise<string[]> {
  const receivers = sql`
    select m.client_uid, m.event_uid, coalesce(e.person_uid, si.person_uid) as person_uid, si.uid as sign_in_uid, m.seq as message_seq,
      one.uid as reach_uid
    from message m
    left join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid
    left join warden_sign_in si on si.client_uid = m.client_uid and si.uid = m.recipient_sign_in_uid
    left join reach one on one.client_uid = m.client_uid and one.event_uid = m.event_uid and one.class = 'ask'
      and one.about = m.seq::text and one.person_uid = e.person_uid
    where m.client_uid = ${clientUid} and m.seq = any (${seqs}::bigint[])`
  const texts = await queueTexts(tx, {
    kind: 'message',
    body,
    segments,
    receivers,
    brings: ['sign_in_uid', 'message_seq', 'reach_uid'],
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

/** Queues a text of the event to a number without a person. False if the number has had the same words. */
export async function insertTextToNumber(
  tx: Tx,
  { clientUid, eventUid, body }: TextToPeople,
  mobile: string,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`answer/${eventUid}/${mobile}`}, 0))`.execute(tx)
  const { numAffectedRows } = await sql`${insertTextRows(
    { kind: 'message', body },
    sql`
      select ${clientUid}::uuid as client_uid, ${eventUid}::uuid as event_uid, null::uuid as person_uid, ${mobile}::text as mobile,
        null::text as obstacle
      where not exists (select from sms where client_uid = ${clientUid} and event_uid = ${eventUid} and person_uid is null
        and to_mobile = ${mobile} and body = ${body})`,
  )}`.execute(tx)
  return numAffectedRows === 1n
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
