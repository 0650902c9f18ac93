import { sql } from 'kysely'
import { beginReportIns } from '#features/reach/server/begin.queries.ts'
import { waitsForOthers } from '#features/reach/words.ts'
import { queueTexts } from '#features/texts/server/queue.queries.ts'
import type { EventUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { areaHas, hasPlaceWhere } from '#server/wardens/warden-area.ts'

export interface EventText {
  eventUid: string
  message: string
  smsAllowed: boolean
  /** The sender. The text is this warden's message in the thread of each occupant. */
  senderSignInUid?: string | null
}

export interface WardenToAlert {
  signInUid: string
  personUid: string
}

/** One participation per warden, without the creator. For a warden with several roles, that of the first card. */
export async function listWardensToAlert(
  tx: Tx,
  signInUids: readonly string[],
  creatorPersonUid: string,
): Promise<WardenToAlert[]> {
  const { rows } = await sql<WardenToAlert>`
    select distinct on (si.person_uid) si.uid as sign_in_uid, si.person_uid
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where si.uid = any (${signInUids}::uuid[]) and si.person_uid <> ${creatorPersonUid}
    order by si.person_uid, r.name, a.uid`.execute(tx)
  return rows
}

/** The event manager, or the warden who started the event if the manager has no participation in it. */
export async function findSender(tx: Tx, eventUid: string, signInUid: string | null): Promise<string | null> {
  const { rows } = await sql<{ uid: string | null }>`
    select coalesce(si.uid, e.started_by_sign_in_uid) as uid
    from event e
    left join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid and si.uid = ${signInUid}
    where e.uid = ${eventUid}`.execute(tx)
  return rows[0]?.uid ?? null
}

export interface NewLink {
  uid: string
  signInUid: string
  tokenHash: Buffer
}

export async function insertReportInLinks(tx: Tx, clientUid: string, eventUid: string, links: readonly NewLink[]) {
  if (links.length === 0) return
  await sql`
    insert into report_in_link (client_uid, event_uid, uid, sign_in_uid, token_hash, expires_at)
    select ${clientUid}, ${eventUid}, link.uid, link.sign_in_uid, link.token_hash, now() + make_interval(hours => ${limits.reportInLinkHours})
    from unnest(${links.map((l) => l.uid)}::uuid[], ${links.map((l) => l.signInUid)}::uuid[],
      ${links.map((l) => l.tokenHash)}::bytea[]) as link (uid, sign_in_uid, token_hash)`.execute(tx)
}

/**
 * The message and the warden's own link in one text, the first step of reaching them. `{link}` is replaced when the text is sent.
 * Those who are called second get a text that is not sent: it says why, and its words go out if no one else answers.
 */
export async function queueWardenAlerts(
  tx: Tx,
  { eventUid, message, smsAllowed: isAllowed }: EventText,
  links: readonly NewLink[],
) {
  const signIns = links.map(({ signInUid }) => signInUid)
  const waiting = await beginReportIns(tx, eventUid, signIns)
  const text = { kind: 'warden_alert', body: `${message} Report in: {link}`, isAllowed } as const
  const brings = ['sign_in_uid', 'link_uid', 'reach_uid'] as const
  const to = (some: readonly NewLink[]) => sql`
    select si.client_uid, si.event_uid, si.person_uid, si.uid as sign_in_uid, link.uid as link_uid, one.uid as reach_uid
    from unnest(${some.map((l) => l.uid)}::uuid[], ${some.map((l) => l.signInUid)}::uuid[]) as link (uid, sign_in_uid)
    join warden_sign_in si on si.uid = link.sign_in_uid
    left join reach one on one.client_uid = si.client_uid and one.event_uid = si.event_uid and one.class = 'report_in'
      and one.about = si.uid::text and one.person_uid = si.person_uid`
  const called = links.filter(({ signInUid }) => !waiting.has(signInUid))
  const second = links.filter(({ signInUid }) => waiting.has(signInUid))
  if (called.length > 0) await queueTexts(tx, { ...text, brings, receivers: to(called) })
  if (second.length > 0) await queueTexts(tx, { ...text, brings, receivers: to(second), otherwise: waitsForOthers })
}

/**
 * Texts the wardens of these buildings, each once. Site wardens and event managers belong to each building, other
 * wardens to the buildings of their area. Wardens come first because they are few. Occupants follow by a broadcast.
 */
export async function queueForWardens(
  tx: Tx,
  kind: 'event_message' | 'event_concluded',
  { eventUid, message, smsAllowed }: EventText,
  buildingUids: readonly string[],
  exceptPersons: readonly string[],
): Promise<void> {
  const receivers = sql`
    select distinct si.client_uid, si.event_uid, si.person_uid
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where si.event_uid = ${eventUid} and si.closed_at is null and not si.person_uid = any (${exceptPersons}::uuid[])
      and ${hasPlaceWhere(areaHas(sql`l.building_uid = any (${buildingUids}::uuid[])`))}`
  await queueTexts(tx, { kind, body: message, isAllowed: smsAllowed, receivers })
}

/**
 * Wardens who are also occupants of these buildings, because they were in danger when they became wardens. `is
 * true` keeps the wardens in a hash. As a join, the planner, without statistics of a new event, reads all occupants for
 * each warden.
 */
export async function listWardensAmongOccupants(
  tx: Tx,
  eventUid: string,
  buildingUids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ personUid: string }>`
    select person_uid from evacuee
    where event_uid = ${eventUid} and active and building_uid = any (${buildingUids}::uuid[])
      and (person_uid in (
        select person_uid from warden_sign_in where event_uid = ${eventUid} and closed_at is null)) is true`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

/**
 * Cancels the queued texts of an event that ends, except the conclusion to buildings that left before. Texts that a worker
 * has claimed are still sent.
 */
export async function cancelQueuedTexts(tx: Tx, eventUid: EventUid): Promise<void> {
  await tx
    .updateTable('sms')
    .set({ status: 'skipped', reason: 'The event has ended.', changedAt: sql`now()` })
    .where('eventUid', '=', eventUid)
    .where('kind', '<>', 'event_concluded')
    .where('status', '=', 'queued')
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', steadyNow)]))
    .execute()
}

/** Cancels the queued texts of people whom this transaction removed from the event. */
export async function cancelTextsToRemoved(tx: Tx, eventUid: string, buildingUids: readonly string[]): Promise<void> {
  await sql`
    update sms set status = 'skipped', reason = 'The building has left the event.', changed_at = now()
    from evacuee e
    where sms.event_uid = ${eventUid} and sms.status = 'queued' and sms.kind = 'event_message'
      and (sms.claimed_until is null or sms.claimed_until <= ${steadyNow})
      and e.client_uid = sms.client_uid and e.event_uid = sms.event_uid and e.person_uid = sms.person_uid
      and not e.active and e.removed_at = now() and e.building_uid = any (${buildingUids}::uuid[])`.execute(tx)
}
