import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

export interface EndedEvent {
  clientUid: string
  uid: string
}

/** Takes one event that ended `days` ago or earlier and that no other process works on; undefined: there is none left. */
export async function claimEndedEvent(
  tx: Tx,
  { days, withMessagesOnly }: { days: number; withMessagesOnly: boolean },
): Promise<EndedEvent | undefined> {
  const { rows } = await sql<EndedEvent>`
    select client_uid, uid from event e
    where ended_at < now() - make_interval(days => ${days}) and (not ${withMessagesOnly}
      or exists (select from message m where (m.client_uid, m.event_uid) = (e.client_uid, e.uid))
      or exists (select from sms s where (s.client_uid, s.event_uid) = (e.client_uid, e.uid))
      or exists (select from broadcast b where (b.client_uid, b.event_uid) = (e.client_uid, e.uid)))
    order by ended_at
    limit 1
    for update of e skip locked`.execute(tx)
  return rows[0]
}

/** What was written in an event, by whichever way. Answers how many messages and texts are gone. */
export async function deleteMessages(tx: Tx, event: EndedEvent): Promise<number> {
  const texts = await deleteTexts(tx, sql`(client_uid, event_uid) = (${event.clientUid}, ${event.uid})`)
  const messages = await deleteOf(tx, 'message', event)
  return texts + messages + (await deleteOf(tx, 'broadcast', event))
}

/** Texts that belong to no event: links for signing in. */
export async function deleteTextsOutsideEvents(system: Db, days: number): Promise<number> {
  return deleteTexts(system, sql`event_uid is null and created_at < now() - make_interval(days => ${days})`)
}

async function deleteTexts(db: Db | Tx, which: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (select client_uid, uid from sms where ${which}),
      parts as (delete from sms_part p using gone where (p.sms_client_uid, p.sms_uid) = (gone.client_uid, gone.uid)),
      texts as (delete from sms s using gone where (s.client_uid, s.uid) = (gone.client_uid, gone.uid) returning 1)
    select count(*)::int as count from texts`.execute(db)
  return rows[0]?.count ?? 0
}

/** Everything that an event left, but the journal, which has a time of its own. Its messages must be gone. */
export async function deleteEvent(tx: Tx, event: EndedEvent): Promise<void> {
  const { clientUid, uid } = event
  await deleteOf(tx, 'report_in_link', event)
  await sql`
    update event set started_by_sign_in_uid = null, ended_by_sign_in_uid = null
    where (client_uid, uid) = (${clientUid}, ${uid})`.execute(tx)
  await sql`
    delete from session s using warden_sign_in w
    where (w.client_uid, w.event_uid) = (${clientUid}, ${uid}) and (s.client_uid, s.sign_in_uid) = (w.client_uid, w.uid)
    `.execute(tx)
  for (const table of ['warden_sign_in', 'evacuee', 'tally', 'event_floor', 'event_building'] as const)
    await deleteOf(tx, table, event)
  await sql`delete from event where (client_uid, uid) = (${clientUid}, ${uid})`.execute(tx)
}

async function deleteOf(tx: Tx, table: string, { clientUid, uid }: EndedEvent): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (client_uid, event_uid) = (${clientUid}, ${uid})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The journal and the log of sign-ins. */
export async function deleteAudit(system: Db, days: number): Promise<number> {
  const journal = await sql`
    delete from journal where recorded_at < now() - make_interval(days => ${days})`.execute(system)
  const signIns = await sql`delete from sign_in_log where at < now() - make_interval(days => ${days})`.execute(system)
  return Number(journal.numAffectedRows ?? 0) + Number(signIns.numAffectedRows ?? 0)
}

/** Plans of people that were replaced or ended `days` ago or earlier. */
export async function deleteEndedPeeps(system: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from peep where not active and updated_at < now() - make_interval(days => ${days})`.execute(system)
  return Number(numAffectedRows ?? 0)
}

/** Sessions a month old; mails, keys, throttles and what providers said a week old: nothing that still decides anything. */
export async function deleteExpired(system: Db): Promise<void> {
  await sql`delete from session where expires_at < now() - interval '30 days'`.execute(system)
  await sql`delete from mobile_token where expires_at < now() - interval '1 day'`.execute(system)
  await sql`delete from password_reset where expires_at < now() - interval '1 day'`.execute(system)
  await sql`delete from mail where created_at < now() - interval '7 days'`.execute(system)
  await sql`delete from simulated_mail where received_at < now() - interval '7 days'`.execute(system)
  await sql`delete from idempotency where recorded_at < now() - interval '7 days'`.execute(system)
  await sql`delete from throttle where window_start < now() - interval '7 days'`.execute(system)
  await sql`delete from recent_attempt where at[cardinality(at)] < now() - interval '1 day'`.execute(system)
  await sql`delete from received_reply where received_at < now() - interval '7 days'`.execute(system)
  await sql`delete from sms_part where noted_at < now() - interval '7 days'`.execute(system)
  await sql`delete from inbound_text where passed_on_at < now() - interval '7 days'`.execute(system)
  await sql`delete from simulated_text where received_at < now() - interval '7 days'`.execute(system)
}
