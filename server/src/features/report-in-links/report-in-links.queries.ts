import type { EventUid } from '@evac/contract/ids.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/db.ts'
import { attendance } from '../../wardens/attendance.ts'

/** Minutes a link may still be sent after it was asked for. */
const validMinutes = 15

/** Two senders at once take turns, so that the second sees what the first has sent. In one order, so that neither waits for the other. */
export async function lockSignIns(tx: Tx, eventUid: string, signInUids: readonly string[]): Promise<void> {
  await sql`
    select from warden_sign_in
    where event_uid = ${eventUid} and uid = any (${signInUids}::uuid[]) order by uid for no key update`.execute(tx)
}

/** LINK-02, AMB-145: sign-ins `si` of persons `p` who are unknown or off duty, and were sent no link in the last minute. */
const canBeSent = (eventUid: string, signInUids: readonly string[]) => sql`
  si.event_uid = ${eventUid} and si.uid = any (${signInUids}::uuid[]) and si.closed_at is null
  and ${attendance} in ('unknown', 'off_duty') and p.active
  and not exists (select from report_in_link l where l.client_uid = si.client_uid and l.sign_in_uid = si.uid
    and l.sender_sign_in_uid is not null and l.sent_at > now() - interval '60 seconds')`

/** LINK-02, LINK-13, AMB-145: those of them with a mobile that takes texts. */
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
 * Keeps whom no link was sent, with the reason, so that nobody is believed to have been told. Call it after `sendLinks`:
 * who was sent one in the last minute is not among them.
 */
export async function noteUnsentLinks(
  tx: Tx,
  { eventUid, body }: Pick<LinkText, 'eventUid' | 'body'>,
  signInUids: readonly string[],
  reason: string,
): Promise<void> {
  await sql`
    insert into sms (client_uid, event_uid, kind, person_uid, sign_in_uid, to_mobile, body, status, reason, valid_until)
    select si.client_uid, si.event_uid, 'report_in_link', p.uid, si.uid, p.mobile, ${body}, 'skipped',
      case when p.mobile is null then 'No mobile number.' when x.mobile is not null then 'SMS refused.' else ${reason} end,
      now() + make_interval(mins => ${validMinutes})
    from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    left join sms_refusal x on x.mobile = p.mobile
    where ${canBeSent(eventUid, signInUids)}`.execute(tx)
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

/** The links, and the text that brings each to its warden (AMB-036), paid for by its segments. */
export async function sendLinks(
  tx: Tx,
  { eventUid, senderSignInUid, hours, body, segments }: LinkText,
  links: readonly LinkToSend[],
): Promise<void> {
  await sql`
    with given as (
      select * from unnest(${links.map((l) => l.uid)}::uuid[], ${links.map((l) => l.signInUid)}::uuid[],
        ${links.map((l) => l.tokenHash)}::bytea[]) as l (uid, sign_in_uid, token_hash)
    ), link as (
      insert into report_in_link (client_uid, uid, event_uid, sign_in_uid, sender_sign_in_uid, token_hash, expires_at)
      select si.client_uid, g.uid, si.event_uid, si.uid, ${senderSignInUid}, g.token_hash, now() + make_interval(hours => ${hours})
      from given g join warden_sign_in si on si.uid = g.sign_in_uid and si.event_uid = ${eventUid}
      returning client_uid, uid, event_uid, sign_in_uid
    )
    insert into sms (client_uid, event_uid, kind, person_uid, sign_in_uid, link_uid, to_mobile, body, segments, valid_until)
    select l.client_uid, l.event_uid, 'report_in_link', p.uid, l.sign_in_uid, l.uid, p.mobile, ${body}, ${segments}::int,
      now() + make_interval(mins => ${validMinutes})
    from link l
    join warden_sign_in si on si.client_uid = l.client_uid and si.uid = l.sign_in_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid`.execute(tx)
}
