import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { DataFile } from '../data-files.queries.ts'
import { openActions } from '../log-line.ts'
import type { LogOf } from '../sealing.queries.ts'

const ofLog = ({ clientUid, eventUid }: LogOf) => sql`(client_uid, event_uid) = (${clientUid}, ${eventUid})`

/** Locks the log, so that nothing is sealed meanwhile. Undefined: there is none. */
export async function lockForm(tx: Tx, of: LogOf): Promise<{ formFrom: number | null } | undefined> {
  const { rows } = await sql<{ formFrom: number | null }>`
    select form_from from record_log where ${ofLog(of)} for no key update`.execute(tx)
  return rows[0]
}

/** When the event ended, as its journal says. Null: it does not say any more. */
export async function findEnd(db: Db, of: LogOf): Promise<Date | null> {
  const { rows } = await sql<{ endedAt: Date | null }>`
    select coalesce(
      (select recorded_at from journal where event_uid = ${of.eventUid} and action = 'event_ended' order by position desc limit 1),
      (select (after ->> 'ended')::timestamptz from journal where event_uid = ${of.eventUid} and action = 'record_closed'
        order by position limit 1)) as ended_at`.execute(db)
  return rows[0]?.endedAt ?? null
}

/** Closing a record and erasing a person of one organisation wait for each other. */
export async function lockErasing(tx: Tx, clientUid: ClientUid): Promise<void> {
  await sql`select from client where uid = ${clientUid} for no key update`.execute(tx)
}

/** True if the organisation has erased someone since then. */
export async function hasErasedSince(tx: Tx, clientUid: ClientUid, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from person where client_uid = ${clientUid} and erased_at >= ${since} limit 1`.execute(tx)
  return rows.length > 0
}

export interface PackedLines extends LogOf {
  file: DataFile
  idx: number
  commits: Buffer
  lines: Buffer
}

/** So many packed tiles after that one: of a log, or of all records of the organisation. */
export async function listPacked(
  tx: Tx,
  { clientUid, eventUid, files }: { clientUid: ClientUid; eventUid?: string; files?: readonly DataFile[] },
  after: PackedLines | undefined,
  most: number,
) {
  const { eventUid: last = '00000000-0000-0000-0000-000000000000', file = '', idx = 0 } = after ?? {}
  const { rows } = await sql<PackedLines>`
    select client_uid, event_uid, file, idx, commits, lines from log_tile
    where client_uid = ${clientUid} and (event_uid, file, idx) > (${last}::uuid, ${file}, ${idx}) and lines is not null
      and (${eventUid ?? null}::uuid is null or event_uid = ${eventUid ?? null}::uuid)
      and (${files ? [...files] : null}::text[] is null or file = any (${files ? [...files] : null}::text[]))
    order by event_uid, file, idx limit ${most}`.execute(tx)
  return rows
}

export async function saveLines(tx: Tx, { clientUid, eventUid, file, idx }: PackedLines, lines: Buffer) {
  await sql`
    update log_tile set lines = ${lines}
    where (client_uid, event_uid, file, idx) = (${clientUid}, ${eventUid}, ${file}, ${idx})`.execute(tx)
}

const isOpen = sql`j.action = any (${[...openActions]}::text[])`
/** The sealed rows of a log that can be erased without its record, with their numbers. */
const plainRows = ({ clientUid, eventUid }: LogOf) => sql`
  select j.xid, j.position, j.action, j.after, (t.idx * 256 + k.nth)::int as n
  from record_log l
  join log_tile t on (t.client_uid, t.event_uid) = (l.client_uid, l.event_uid) and t.file = 'journal'
  cross join unnest(t.keys) with ordinality k (position, nth)
  join journal j on j.event_uid = l.event_uid and j.position = k.position
  where l.client_uid = ${clientUid} and l.event_uid = ${eventUid}
    and (not ${isOpen} or t.idx * 256 + k.nth < coalesce(l.form_from, 'infinity'::float8))`

/** Numbers of the sealed rows that can be erased. */
export async function listPlainRows(tx: Tx, of: LogOf): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`select n from (${plainRows(of)}) row order by n`.execute(tx)
  return rows.map(({ n }) => n)
}

/** Deletes up to `most` sealed rows with these numbers. Returns how many. */
export async function deleteRows(tx: Tx, of: LogOf, ranges: readonly (readonly [number, number])[], most: number) {
  const [from, to] = [ranges.map(([first]) => first), ranges.map(([, last]) => last)]
  const { numAffectedRows } = await sql`
    with gone as (select row.xid, row.position from (${plainRows(of)}) row
      where exists (select from unnest(${from}::int[], ${to}::int[]) r (first, last) where row.n between r.first and r.last)
      limit ${most})
    delete from journal j using gone where j.xid = gone.xid and j.position = gone.position`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes what managers wrote from sealed entries. Returns the numbers of these. */
export async function deleteWords(tx: Tx, of: LogOf): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    with gone as (select xid, position, n from (${plainRows(of)}) row where coalesce(row.after ->> 'message', '') <> '')
    update journal j set after = j.after || '{"message": null}' from gone
    where j.xid = gone.xid and j.position = gone.position returning gone.n`.execute(tx)
  return rows.map(({ n }) => n).sort((a, b) => a - b)
}

/** Deletes from entries of the event by whom they were made. Returns the numbers of the sealed ones. */
export async function deleteMakers(tx: Tx, { clientUid, eventUid }: LogOf): Promise<number[]> {
  const found = await withoutMaker(tx, sql`j.client_uid = ${clientUid} and j.event_uid = ${eventUid}`)
  return found.map(({ n }) => n).sort((a, b) => a - b)
}

/** The same of entries of the organisation that the person made, or someone of that name. */
export const deleteMaker = (tx: Tx, clientUid: ClientUid, { uid, pattern }: { uid: PersonUid; pattern: string }) =>
  withoutMaker(
    tx,
    sql`j.client_uid = ${clientUid} and (j.actor_person_uid = ${uid} or j.after -> 'by' ->> 'name' ~* ${pattern})`,
  )

const withoutMaker = (tx: Tx, which: RawBuilder<unknown>) =>
  listChanged(
    tx,
    sql`update journal j set after = jsonb_set(j.after, '{by}', 'null') where j.after ? 'by'
      and j.after -> 'by' <> 'null' and ${which}`,
  )

/** Entries of the organisation in whose words the person is named: the name goes. Returns the numbers of the sealed ones. */
export const rewordEntries = (tx: Tx, clientUid: ClientUid, { pattern, by }: { pattern: string; by: string }) =>
  listChanged(
    tx,
    sql`update journal j set after = jsonb_set(j.after, '{message}', to_jsonb(regexp_replace(j.after ->> 'message', ${pattern}, ${by}, 'gi')))
      where j.client_uid = ${clientUid} and j.after ->> 'message' ~* ${pattern}
        and j.event_uid in (select e.uid from event e where e.client_uid = ${clientUid} and e.message ~* ${pattern})`,
  )

/** Changes entries. Returns where the sealed ones are in their logs. */
async function listChanged(tx: Tx, change: RawBuilder<unknown>): Promise<(LogOf & { n: number })[]> {
  const { rows } = await sql<LogOf & { n: number | null }>`
    with changed as (${change} returning j.client_uid, j.event_uid, j.position)
    select changed.client_uid, changed.event_uid, (t.idx * 256 + array_position(t.keys, changed.position))::int as n
    from changed left join log_tile t on (t.client_uid, t.event_uid) = (changed.client_uid, changed.event_uid)
      and t.file = 'journal' and changed.position = any (t.keys)`.execute(tx)
  return rows.flatMap(({ n, ...of }) => (n === null ? [] : [{ ...of, n }]))
}

/** Additions that are as they were logged, by the numbers of their entries in the log of each event. */
export async function listWholeAdditions(tx: Tx, which: { clientUid: ClientUid; eventUid?: string }) {
  const { rows } = await sql<LogOf & { n: number; uid: string }>`
    select r.client_uid, r.event_uid, r.uid, (t.idx * 256 + array_position(t.keys, j.position))::int as n
    from record_entry r
    join journal j on j.event_uid = r.event_uid and j.action = 'record_entry_added' and j.after ->> 'entry_uid' = r.uid::text
    join log_tile t on (t.client_uid, t.event_uid) = (r.client_uid, r.event_uid) and t.file = 'journal' and j.position = any (t.keys)
    where r.client_uid = ${which.clientUid} and (${which.eventUid ?? null}::uuid is null or r.event_uid = ${which.eventUid ?? null}::uuid)
      and r.salt is not null`.execute(tx)
  return rows
}

/** The record as it is stored now. Null: it is deleted, or not written yet. */
export async function findStoredRecord(tx: Db, of: LogOf): Promise<JsonObject | null> {
  const { rows } = await sql<{ summary: JsonObject | null }>`
    select summary from event_record where ${ofLog(of)}`.execute(tx)
  return rows[0]?.summary ?? null
}

/** The secret of an event goes with the last row that needs it. Returns the number of secrets. */
export async function dropSecrets(system: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update record_log l set salt_secret = null
    where salt_secret is not null and form_from is not null
      and not exists (select from event e where (e.client_uid, e.uid) = (l.client_uid, l.event_uid) and e.ended_at is null)
      and not exists (select from journal j where j.event_uid = l.event_uid and not ${isOpen})
      and (form_from = 1 or not exists (select from log_tile t
        cross join unnest(t.keys) with ordinality k (position, nth)
        join journal j on j.event_uid = l.event_uid and j.position = k.position
        where (t.client_uid, t.event_uid, t.file) = (l.client_uid, l.event_uid, 'journal') and t.idx * 256 + k.nth < l.form_from))`.execute(
    system,
  )
  return Number(numAffectedRows ?? 0)
}
