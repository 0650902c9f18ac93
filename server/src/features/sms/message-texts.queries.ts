import type { ClientUid, EventUid, PersonUid } from '@evac/contract/ids.ts'
import { sql } from 'kysely'
import { prepared, type Tx } from '../../platform/db/db.ts'

/** Minutes a message may still be sent after it was written: later it misleads. */
const validMinutes = 15

/** The person is believed to have been told only when they were: whom no text can reach is kept as skipped, with the reason. */
const fate = sql`
  case when x.mobile is null and p.mobile is not null then 'queued' else 'skipped' end,
  case when p.mobile is null then 'No mobile number.' when x.mobile is not null then 'SMS refused.' end,
  now() + make_interval(mins => ${validMinutes})`

/** One text for each of these messages, to its evacuee or its recipient; answers those that wait to be sent. */
export async function insertMessageTexts(
  tx: Tx,
  clientUid: string,
  seqs: readonly number[],
  segments: number,
): Promise<string[]> {
  const { rows } = await sql<{ uid: string; status: string }>`
    insert into sms (client_uid, event_uid, kind, person_uid, sign_in_uid, message_seq, to_mobile, body, segments,
      status, reason, valid_until)
    select m.client_uid, m.event_uid, 'message', p.uid, si.uid, m.seq, p.mobile, m.text, ${segments}::int, ${fate}
    from message m
    left join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid
    left join warden_sign_in si on si.client_uid = m.client_uid and si.uid = m.recipient_sign_in_uid
    join person p on p.client_uid = m.client_uid and p.uid = coalesce(e.person_uid, si.person_uid)
    left join sms_refusal x on x.mobile = p.mobile
    where m.client_uid = ${clientUid} and m.seq = any (${seqs}::bigint[])
    returning uid, status`.execute(tx)
  return rows.filter(({ status }) => status === 'queued').map(({ uid }) => uid)
}

export interface TextToPeople {
  clientUid: ClientUid
  eventUid: EventUid
  body: string
}

/** A text that belongs to no message, to each of these people. */
export async function insertTexts(
  tx: Tx,
  { clientUid, eventUid, body }: TextToPeople,
  personUids: readonly string[],
): Promise<void> {
  await sql`${prepared('insert_texts')}
    insert into sms (client_uid, event_uid, kind, person_uid, to_mobile, body, status, reason, valid_until)
    select p.client_uid, ${eventUid}, 'message', p.uid, p.mobile, ${body}, ${fate}
    from person p
    left join sms_refusal x on x.mobile = p.mobile
    where p.client_uid = ${clientUid} and p.uid = any (${personUids}::uuid[])`.execute(tx)
}

/** Was the person sent these words in this event since then? */
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
