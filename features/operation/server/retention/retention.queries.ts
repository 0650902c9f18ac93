import { type RawBuilder, sql } from 'kysely'
import { listedDays } from '#features/authority/words.ts'
import { openActions } from '#features/log/server/log-line.ts'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { RetentionDays } from '#server/platform/config/config.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { dropEntries } from './record-entries.queries.ts'

export interface EndedEvent {
  clientUid: ClientUid
  uid: EventUid
  /** So many days after its end it is deleted. */
  days: number
}

/** Days of the installation for one kind. Undefined: never. */
type Days = number | undefined

/**
 * Days of each kind for the organisation `c`. Its own take the installation's place; of messages and plans the
 * shorter days count. Null: never.
 */
const daysOf: Record<keyof RetentionDays, (days: Days) => RawBuilder<number | null>> = {
  messages: (days) => sql`least(c.retain_messages_days, ${days ?? null}::int)`,
  events: (days) => sql`coalesce(c.retain_events_days, ${days ?? null}::int)`,
  audit: (days) => sql`coalesce(c.retain_audit_days, ${days ?? null}::int)`,
  peeps: (days) => sql`least(c.retain_peeps_days, ${days ?? null}::int)`,
}

/** The fewest days of the kind, of the installation and of any organisation. Null: nothing of the kind is deleted. */
export async function findFewestDays(system: Db, kind: keyof RetentionDays, days: Days): Promise<number | null> {
  const { rows } = await sql<{ fewest: number | null }>`
    select least(min(${daysOf[kind](days)}), ${days ?? null}::int) as fewest from client c`.execute(system)
  return rows[0]?.fewest ?? null
}

/** The record of the event is under hold. */
const isHeld = (clientUid: RawBuilder<unknown>, eventUid: RawBuilder<unknown>) => sql`
  exists (select from event_record h where h.client_uid = ${clientUid} and h.event_uid = ${eventUid} and h.held)`

/** Locks one event past the days of its organisation that no other process has locked. Undefined if none is left. */
export async function claimEndedEvent(
  tx: Tx,
  { kind, days }: { kind: 'messages' | 'events'; days: Days },
): Promise<EndedEvent | undefined> {
  const { rows } = await sql<EndedEvent>`
    select e.client_uid, e.uid, ${daysOf[kind](days)} as days from event e join client c on c.uid = e.client_uid
    where e.ended_at < now() - make_interval(hours => 24 * ${daysOf[kind](days)})
      and not ${isHeld(sql`e.client_uid`, sql`e.uid`)} and (${kind}::text = 'events'
      or exists (select from message m where (m.client_uid, m.event_uid) = (e.client_uid, e.uid))
      or exists (select from sms s where (s.client_uid, s.event_uid) = (e.client_uid, e.uid))
      or exists (select from ring g where (g.client_uid, g.event_uid) = (e.client_uid, e.uid) and g.to_mobile is not null)
      or exists (select from broadcast b where (b.client_uid, b.event_uid) = (e.client_uid, e.uid))
      or exists (select from arrival_pack p join arrival_pack_reader r on (r.client_uid, r.pack_uid) = (p.client_uid, p.uid)
        where (p.client_uid, p.event_uid) = (e.client_uid, e.uid) and r.network <> '')
      or exists (select from self_report s where (s.client_uid, s.event_uid) = (e.client_uid, e.uid) and ${hasWords(sql`s`)})
      or exists (select from self_report_more m where (m.client_uid, m.event_uid) = (e.client_uid, e.uid))
      or exists (select from event_record r where (r.client_uid, r.event_uid) = (e.client_uid, e.uid)
        and r.state = 'ready' and r.words_deleted_at is null))
    order by e.ended_at
    limit 1
    for update of e skip locked`.execute(tx)
  return rows[0]
}

/** True if a hold came before the lock of the event: anyone who holds locks the event first. */
export async function isHeldNow(tx: Tx, { clientUid, uid }: Omit<EndedEvent, 'days'>): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select ${isHeld(sql`${clientUid}::uuid`, sql`${uid}::uuid`)} as held`.execute(tx)
  return rows[0]?.held ?? false
}

/** Deletes up to `most` messages and texts of an event. Returns their number. */
export async function deleteMessages(tx: Tx, event: EndedEvent, most: number): Promise<number> {
  const texts = await deleteTexts(tx, sql`(client_uid, event_uid) = (${event.clientUid}, ${event.uid})`, most)
  const count = await deleteOf(tx, ['message', 'broadcast'], event, most, texts)
  if (count < most) await deleteWords(tx, event)
  await forgetReaders(tx, event)
  await forgetCalls(tx, event)
  await forgetReports(tx, event)
  return count
}

/** What was written stands in the record as long as the messages. Who wrote it, and when, stays. */
async function deleteWords(tx: Tx, { clientUid, uid }: EndedEvent): Promise<void> {
  await sql`
    update event_record set words_deleted_at = now(), summary = summary || '{"message": ""}'
      || jsonb_build_object('decisions', (select coalesce(jsonb_agg(case when d ->> 'words' = '' then d
          else d || jsonb_build_object('words', '', 'deleted_at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) end order by n), '[]')
        from jsonb_array_elements(summary -> 'decisions') with ordinality as all_decisions (d, n)))
    where client_uid = ${clientUid} and event_uid = ${uid} and state = 'ready' and words_deleted_at is null`.execute(tx)
}

/** Who opened an arrival pack is told as long as the messages. That it was opened, and when, stays. */
async function forgetReaders(tx: Tx, { clientUid, uid }: EndedEvent): Promise<void> {
  await sql`
    update arrival_pack_reader r set name = '', network = '', home = null, agent = ''
    from arrival_pack p where p.client_uid = ${clientUid} and p.event_uid = ${uid}
      and r.client_uid = p.client_uid and r.pack_uid = p.uid and r.network <> ''`.execute(tx)
}

/** What a stranger wrote of themselves, from where, and who was sent. */
const hasWords = (report: RawBuilder<unknown>) =>
  sql`(${report}.network <> '' or num_nonnulls(${report}.home, ${report}.site, ${report}.said_name, ${report}.said_mobile,
    ${report}.words, ${report}.who) > 0)`

/** It goes with the messages. That someone reported, when, and what became of it stays. */
async function forgetReports(tx: Tx, { clientUid, uid }: EndedEvent): Promise<void> {
  await sql`
    update self_report r set said_name = null, said_mobile = null, words = null, who = null, network = '', home = null, site = null
    where r.client_uid = ${clientUid} and r.event_uid = ${uid} and ${hasWords(sql`r`)}`.execute(tx)
  // how many calls were counted stands in the journal
  await sql`delete from self_report_more where client_uid = ${clientUid} and event_uid = ${uid}`.execute(tx)
}

/** Numbers and words of calls. That someone was called, when, and which key they pressed stays. */
async function forgetCalls(tx: Tx, { clientUid, uid }: EndedEvent): Promise<void> {
  await sql`update ring set to_mobile = null, say = null
    where client_uid = ${clientUid} and event_uid = ${uid} and to_mobile is not null`.execute(tx)
}

async function deleteTexts(db: Db | Tx, which: RawBuilder<unknown>, most: number | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (select client_uid, uid from sms where ${which} limit ${most}::int),
      parts as (delete from sms_part p using gone where (p.sms_client_uid, p.sms_uid) = (gone.client_uid, gone.uid)),
      texts as (delete from sms s using gone where (s.client_uid, s.uid) = (gone.client_uid, gone.uid) returning 1)
    select count(*)::int as count from texts`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Deletes up to `most` rows of an event, and the event with the last of them. Rows that refer to others go first. The
 * journal has its own retention. Returns whether the event is deleted.
 */
export async function deleteEvent(tx: Tx, event: EndedEvent, most: number): Promise<boolean> {
  const { clientUid, uid } = event
  let count = await deleteOf(
    tx,
    [
      ...['report_in_link', 'floor_claim', 'floor_offer', 'contradiction_kept', 'arrival_pack', 'hazard'],
      ...['plan_notice', 'self_report', 'self_report_more', 'ring', 'reach'],
    ],
    event,
    most,
    await deleteMessages(tx, event, most),
  )
  if (count < most) {
    await forgetWhoStartedAndEnded(tx, event)
    count = await deleteOf(tx, ['instruction_answer', 'instruction', 'command_turn'], event, most, count)
  }
  if (count < most) {
    count += await deleteSignIns(tx, event, most - count)
  }
  count = await deleteOf(tx, ['evacuee', 'tally', 'event_floor', 'event_building'], event, most, count)
  if (count < most) {
    await reduceRecord(tx, event)
    await sql`delete from event where (client_uid, uid) = (${clientUid}, ${uid})`.execute(tx)
  }
  return count < most
}

/** The record of a deleted event keeps its figures. Who did what, what was written and what was added goes. */
async function reduceRecord(tx: Tx, { clientUid, uid }: EndedEvent): Promise<void> {
  const of = sql`client_uid = ${clientUid} and event_uid = ${uid}`
  await dropEntries(tx, { clientUid, uid })
  await sql`delete from observer_link where ${of}`.execute(tx)
  await sql`
    update event_record set state = 'reduced', reduced_at = coalesce(reduced_at, now()), session_uids = '{}', summary = summary
      || '{"started_by": null, "ended_by": null, "live_by": null, "message": ""}'
      || jsonb_build_object(
        'decisions', (select coalesce(jsonb_agg(d || '{"by": null, "words": ""}' order by n), '[]')
          from jsonb_array_elements(summary -> 'decisions') with ordinality as all_decisions (d, n)),
        'sentences', (select coalesce(jsonb_agg(s order by n), '[]')
          from jsonb_array_elements(summary -> 'sentences') with ordinality as all_sentences (s, n)
          where s ->> 'number' not in ('2', '17')))
      || case when summary ? 'contact' and summary -> 'contact' <> 'null'
        then jsonb_build_object('contact', (summary -> 'contact') || '{"gaps": []}') else '{}' end
      || case when summary ? 'actions' then jsonb_build_object('actions', (select jsonb_agg(a - 'where' order by n)
        from jsonb_array_elements(summary -> 'actions') with ordinality as all_actions (a, n))) else '{}' end
      || jsonb_build_object('plans', (summary -> 'plans') - 'opened' || '{"people": []}',
        'wardens', (summary -> 'wardens') || '{"taken": []}')
    where ${of} and summary is not null`.execute(tx)
}

async function forgetWhoStartedAndEnded(tx: Tx, { clientUid, uid }: EndedEvent): Promise<void> {
  await sql`
    update event set started_by_sign_in_uid = null, ended_by_sign_in_uid = null
    where (client_uid, uid) = (${clientUid}, ${uid}) and coalesce(started_by_sign_in_uid, ended_by_sign_in_uid) is not null
    `.execute(tx)
}

async function deleteSignIns(tx: Tx, { clientUid, uid }: EndedEvent, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (select client_uid, uid from warden_sign_in where (client_uid, event_uid) = (${clientUid}, ${uid}) limit ${most}),
      sessions as (delete from session s using gone where (s.client_uid, s.sign_in_uid) = (gone.client_uid, gone.uid)),
      sign_ins as (delete from warden_sign_in w using gone where (w.client_uid, w.uid) = (gone.client_uid, gone.uid) returning 1)
    select count(*)::int as count from sign_ins`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Deletes from one table after the other until `most` rows are deleted, including `before`. Returns the new number. */
async function deleteOf(
  tx: Tx,
  tables: readonly string[],
  { clientUid, uid }: EndedEvent,
  most: number,
  before: number,
): Promise<number> {
  let count = before
  for (const table of tables) {
    if (count >= most) break
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where (client_uid, event_uid) = (${clientUid}, ${uid}) limit ${most - count}))
      `.execute(tx)
    count += Number(numAffectedRows ?? 0)
  }
  return count
}

/** A table whose rows expire one by one. */
export interface Aging {
  table: string
  isOld: RawBuilder<unknown>
}
const ago = (days: number) => sql`now() - make_interval(days => ${days})`

/** Past the days of its organisation. The first condition spares young rows the look at their organisation. */
const pastDays = (
  { table, at, kind }: { table: string; at: string; kind: keyof RetentionDays },
  fewest: number,
  days: Days,
) => sql`${sql.ref(at)} < ${ago(fewest)} and ${sql.ref(at)} < now() - make_interval(days => coalesce(
    (select ${daysOf[kind](days)} from client c where c.uid = ${sql.table(table)}.client_uid), ${days ?? null}::int))`

/**
 * Ended events past the days of their organisation whose log has rows that can be erased. All of a log is read first in a database
 * that was restored.
 */
export async function listAudited(system: Db, days: Days): Promise<EndedEvent[]> {
  const { rows } = await sql<EndedEvent>`
    select l.client_uid, l.event_uid as uid, ${daysOf.audit(days)} as days
    from record_log l
    join client c on c.uid = l.client_uid
    left join event e on (e.client_uid, e.uid) = (l.client_uid, l.event_uid)
    left join event_record r on (r.client_uid, r.event_uid) = (l.client_uid, l.event_uid)
    where coalesce(e.ended_at, case when e.uid is null then r.ended_at end) < now() - make_interval(hours => 24 * ${daysOf.audit(days)})
      and not ${isHeld(sql`l.client_uid`, sql`l.event_uid`)} and l.form_from is not null
      and l.read_epoch = (select system_identifier || '-' || restores from feed_epoch)
      and exists (select from journal j where j.event_uid = l.event_uid and j.action <> all (${[...openActions]}::text[])
        and (j.xid, j.position) <= (l.last_xid, l.last_position))`.execute(system)
  return rows
}

/** Of an event that has a log, the log erases the entries. */
const isOfNoLog = sql`(event_uid is null
  or not exists (select from record_log l where l.client_uid = journal.client_uid and l.event_uid = journal.event_uid)
    and not exists (select from event e where e.client_uid = journal.client_uid and e.uid = journal.event_uid))`

/** Records whose event is deleted, so many days after their end. */
export async function listOldRecords(tx: Tx, days: number): Promise<EndedEvent[]> {
  const { rows } = await sql<EndedEvent>`
    select r.client_uid, r.event_uid as uid, ${days}::int as days from event_record r
    where r.state = 'reduced' and r.summary is not null and not r.held and r.ended_at < ${ago(days)}
    for update`.execute(tx)
  return rows
}

/** The record keeps number, dates and head. */
export async function dropRecord(tx: Tx, event: EndedEvent): Promise<void> {
  await sql`
    update event_record r set summary = null, result = null, search = r.number::text, session_uids = '{}'
    where r.client_uid = ${event.clientUid} and r.event_uid = ${event.uid}`.execute(tx)
  await dropEntries(tx, event)
}

export const aging = {
  journal: (fewest: number, days: Days): Aging => ({
    table: 'journal',
    isOld: sql`${isOfNoLog} and not ${isHeld(sql`journal.client_uid`, sql`journal.event_uid`)}
      and ${pastDays({ table: 'journal', at: 'recorded_at', kind: 'audit' }, fewest, days)}`,
  }),
  plansSeen: (fewest: number, days: Days): Aging => ({
    table: 'plan_seen',
    isOld: sql`not ${isHeld(sql`plan_seen.client_uid`, sql`plan_seen.event_uid`)}
      and ${pastDays({ table: 'plan_seen', at: 'seen_at', kind: 'audit' }, fewest, days)}`,
  }),
  signInLog: (fewest: number, days: Days): Aging => ({
    table: 'sign_in_log',
    isOld: pastDays({ table: 'sign_in_log', at: 'at', kind: 'audit' }, fewest, days),
  }),
  /** Texts without an event, such as sign-in links. */
  texts: (fewest: number, days: Days): Aging => ({
    table: 'sms',
    isOld: sql`event_uid is null and ${pastDays({ table: 'sms', at: 'created_at', kind: 'messages' }, fewest, days)}`,
  }),
}

/** The difference of an upload is kept for seven days after its check, or after it was applied: an undo needs it. */
const ofOldUpload = (table: string) => sql`exists (select from upload u
  where u.client_uid = ${sql.ref(`${table}.client_uid`)} and u.uid = ${sql.ref(`${table}.upload_uid`)}
    and coalesce(u.applied_at, u.checked_at) < ${ago(7)} and u.state not in ('applying', 'undoing'))`

/** Rows that still matter are kept, whatever the operator has set. */
export const expired: readonly Aging[] = [
  { table: 'session', isOld: sql`expires_at < ${ago(30)}` },
  { table: 'console_session', isOld: sql`expires_at < ${ago(30)}` },
  { table: 'console_ticket', isOld: sql`expires_at < ${ago(1)}` },
  { table: 'former_address', isOld: sql`left_at < ${ago(30)}` },
  { table: 'sign_in_change', isOld: sql`at < ${ago(listedDays)}` },
  { table: 'invitation', isOld: sql`expires_at < ${ago(30)}` },
  { table: 'upload_problem', isOld: ofOldUpload('upload_problem') },
  { table: 'upload_change', isOld: ofOldUpload('upload_change') },
  { table: 'warden_absence', isOld: sql`day < current_date - 30` },
  { table: 'wall_link', isOld: sql`least(ended_at, expires_at) < ${ago(30)}` },
  { table: 'waiting_change', isOld: sql`done_at < ${ago(30)}` },
  { table: 'push_phone', isOld: sql`seen_at < ${ago(180)}` },
  { table: 'mobile_token', isOld: sql`expires_at < ${ago(1)}` },
  { table: 'password_reset', isOld: sql`expires_at < ${ago(1)}` },
  { table: 'mail', isOld: sql`created_at < ${ago(7)}` },
  { table: 'simulated_mail', isOld: sql`received_at < ${ago(7)}` },
  { table: 'idempotency', isOld: sql`recorded_at < ${ago(7)}` },
  { table: 'throttle', isOld: sql`window_start < ${ago(7)}` },
  { table: 'recent_attempt', isOld: sql`at[cardinality(at)] < ${ago(1)}` },
  { table: 'received_reply', isOld: sql`received_at < ${ago(7)}` },
  { table: 'sms_part', isOld: sql`noted_at < ${ago(7)}` },
  { table: 'inbound_text', isOld: sql`passed_on_at < ${ago(7)}` },
  { table: 'simulated_text', isOld: sql`received_at < ${ago(7)}` },
]

export interface Pages {
  first: number
  last: number
}

/** The first and last page of the table with expired rows. Only reads, so no one waits for it. */
export async function findOldPages(system: Db, { table, isOld }: Aging): Promise<Pages | undefined> {
  const { rows } = await sql<Pages>`
    select min((ctid::text::point)[0])::bigint as first, max((ctid::text::point)[0])::bigint as last
    from ${sql.table(table)} where ${isOld} having count(*) > 0`.execute(system)
  return rows[0]
}

/** Deletes expired rows in these pages. Each page is read once. A search per batch would read deleted rows again. */
export async function deleteOldRows(system: Db, { table, isOld }: Aging, { first, last }: Pages): Promise<number> {
  const old = sql`
    ctid >= ${`(${first},0)`}::tid and ctid < ${`(${last + 1},0)`}::tid and ${isOld}`
  if (table === 'sms') return deleteTexts(system, old, null)
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${old}`.execute(system)
  return Number(numAffectedRows ?? 0)
}

/** Deletes PEEPs that were replaced or ended past the days of their organisation, and those of people who left then. */
export async function deleteEndedPeeps(system: Db, days: Days): Promise<number> {
  const past = sql`now() - make_interval(days => ${daysOf.peeps(days)})`
  const { numAffectedRows } = await sql`
    delete from peep using client c where c.uid = peep.client_uid and ((not peep.active and peep.updated_at < ${past})
      or exists (select from person p where (p.client_uid, p.uid) = (peep.client_uid, peep.person_uid)
        and not p.active and p.updated_at < ${past}))`.execute(system)
  return Number(numAffectedRows ?? 0)
}

/** What the next night deletes if the organisation keeps a kind only so many days. Of messages and audit, rows; of events, events. */
export async function countOlder(
  system: Db,
  clientUid: ClientUid,
  kind: keyof RetentionDays,
  days: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (${sql.join(
      older[kind].map((of) => sql`(select count(*) from ${of(clientUid, ago(days))})`),
      sql` + `,
    )})::int as count`.execute(system)
  return rows[0]?.count ?? 0
}

type OlderRows = (clientUid: ClientUid, past: RawBuilder<unknown>) => RawBuilder<unknown>

const ofEndedEvents =
  (table: string): OlderRows =>
  (clientUid, past) =>
    sql`${sql.table(table)} m join event e on e.client_uid = m.client_uid and e.uid = m.event_uid
    where m.client_uid = ${clientUid} and e.ended_at < ${past} and not ${isHeld(sql`e.client_uid`, sql`e.uid`)}`

const older: Record<keyof RetentionDays, readonly OlderRows[]> = {
  messages: [
    ofEndedEvents('message'),
    ofEndedEvents('sms'),
    ofEndedEvents('broadcast'),
    (clientUid, past) => sql`sms where client_uid = ${clientUid} and event_uid is null and created_at < ${past}`,
  ],
  events: [
    (clientUid, past) => sql`event e where e.client_uid = ${clientUid} and e.ended_at < ${past}
      and not ${isHeld(sql`e.client_uid`, sql`e.uid`)}`,
  ],
  audit: [
    (clientUid, past) =>
      sql`journal j where j.client_uid = ${clientUid} and j.event_uid is null and j.recorded_at < ${past}`,
    (clientUid, past) => sql`journal j join event_record r on (r.client_uid, r.event_uid) = (j.client_uid, j.event_uid)
      where j.client_uid = ${clientUid} and r.ended_at < ${past} and not r.held and j.action <> all (${[...openActions]}::text[])`,
    (clientUid, past) => sql`sign_in_log where client_uid = ${clientUid} and at < ${past}`,
  ],
  peeps: [
    (clientUid, past) => sql`peep q left join person p on (p.client_uid, p.uid) = (q.client_uid, q.person_uid)
      where q.client_uid = ${clientUid} and ((not q.active and q.updated_at < ${past})
        or (not p.active and p.updated_at < ${past}))`,
  ],
}
