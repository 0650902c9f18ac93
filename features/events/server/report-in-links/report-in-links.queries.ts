import { sql } from 'kysely'
import { type QueuedText, queueTexts } from '#features/texts/server/queue.queries.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { attendance } from '#server/wardens/attendance.ts'

/** Locks participations in one order, so that a second sender sees what the first one has sent, without a deadlock. */
export async function lockSignIns(tx: Tx, eventUid: string, signInUids: readonly string[]): Promise<void> {
  await sql`
    select from warden_sign_in
    where event_uid = ${eventUid} and uid = any (${signInUids}::uuid[]) order by uid for no key update`.execute(tx)
}

/** Participations `si` of persons `p` who are unknown or off duty and got no link in the last minute. */
const canBeSent = (eventUid: string, signInUids: readonly string[]) => sql`
  si.event_uid = ${eventUid} and si.uid = any (${signInUids}::uuid[]) and si.closed_at is null
  and ${attendance} in ('unknown', 'off_duty') and p.active
  and not exists (select from report_in_link l where l.client_uid = si.client_uid and l.sign_in_uid = si.uid
    and l.sender_sign_in_uid is not null and l.sent_at > now() - interval '60 seconds')`

/** Those who can be texted. */
export async function listLinkReceivers(tx: Tx, eventUid: string, signInUids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select si.uid from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where ${canBeSent(eventUid, signInUids)} and p.mobile is not null
      and not exists (select from sms_refusal x where x.mobile = p.mobile)
    order by si.uid`.execute(tx)
  return rows.map(({ uid }) => uid)
}

export interface LinkText {
  eventUid: string
  senderSignInUid: string
  hours: number
  body: string
  segments: number
}

/**
 * Stores a skipped text with the reason for each person who could not be sent a link, and returns these texts. Call after `sendLinks`, because
 * people who got a link in the last minute are left out.
 */
export async function noteUnsentLinks(
  tx: Tx,
  { eventUid, body }: Pick<LinkText, 'eventUid' | 'body'>,
  signInUids: readonly string[],
  reason: string,
): Promise<QueuedText[]> {
  const receivers = sql`
    select si.client_uid, si.event_uid, si.person_uid, si.uid as sign_in_uid
    from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where ${canBeSent(eventUid, signInUids)}`
  return queueTexts(tx, { kind: 'report_in_link', body, receivers, brings: ['sign_in_uid'], otherwise: reason })
}

export interface LinkToSend {
  uid: string
  signInUid: string
  tokenHash: Buffer
}

export async function getSiteName(tx: Tx, eventUid: EventUid): Promise<string> {
  const { name } = await tx
    .selectFrom('event as e')
    .innerJoin('site as s', (join) => join.onRef('s.clientUid', '=', 'e.clientUid').onRef('s.uid', '=', 'e.siteUid'))
    .select('s.name')
    .where('e.uid', '=', eventUid)
    .executeTakeFirstOrThrow()
  return name
}

/** Stores links and queues a text with each. The segments are already charged. */
export async function sendLinks(
  tx: Tx,
  { eventUid, senderSignInUid, hours, body, segments }: LinkText,
  links: readonly LinkToSend[],
): Promise<void> {
  await sql`
    insert into report_in_link (client_uid, uid, event_uid, sign_in_uid, sender_sign_in_uid, token_hash, expires_at)
    select si.client_uid, g.uid, si.event_uid, si.uid, ${senderSignInUid}, g.token_hash, now() + make_interval(hours => ${hours})
    from unnest(${links.map((l) => l.uid)}::uuid[], ${links.map((l) => l.signInUid)}::uuid[],
      ${links.map((l) => l.tokenHash)}::bytea[]) as g (uid, sign_in_uid, token_hash)
    join warden_sign_in si on si.uid = g.sign_in_uid and si.event_uid = ${eventUid}`.execute(tx)
  const receivers = sql`
    select si.client_uid, si.event_uid, si.person_uid, si.uid as sign_in_uid, l.uid as link_uid
    from unnest(${links.map((l) => l.uid)}::uuid[], ${links.map((l) => l.signInUid)}::uuid[]) as l (uid, sign_in_uid)
    join warden_sign_in si on si.uid = l.sign_in_uid and si.event_uid = ${eventUid}`
  await queueTexts(tx, { kind: 'report_in_link', body, segments, receivers, brings: ['sign_in_uid', 'link_uid'] })
}
