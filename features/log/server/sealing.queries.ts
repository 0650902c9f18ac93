import { sql } from 'kysely'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import { type Db, prepared, type Tx } from '#server/platform/db/db.ts'
import { journalHorizon } from '#server/platform/db/journal-horizon.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { JournalRow, LineForm } from './log-line.ts'

/** The log of one event. */
export interface LogOf {
  clientUid: ClientUid
  eventUid: EventUid
}

/** Where a log stands. */
export interface LogState extends LineForm {
  size: number
  lastXid: string
  lastPosition: number
  epoch: string
  readEpoch: string
  serial: number | null
}

export interface UnsealedRow extends JournalRow {
  xid: string
}

/**
 * Running events, logs that grew within the last hour, and with `all` other logs and events that have something to seal: so
 * many that the next round is not late.
 */
export async function listDue(system: Db, epoch: string, all: boolean): Promise<LogOf[]> {
  const { rows } = await sql<LogOf>`
    select e.client_uid, e.uid as event_uid from event e where e.ended_at is null
    union select l.client_uid, l.event_uid from record_log l where l.sealed_at > now() - interval '1 hour'
    ${all ? sql`union (${behind(epoch)} limit 200)` : sql``}`.execute(system)
  return rows
}

/** Entries that the log writes of itself are sealed by the transaction that writes them. */
export const ownActions = ['log_opened', 'log_form', 'log_moved', 'log_broken'] as const
/** Not what the log writes of itself. Of journal `j`. */
export const isSealedLater = sql`j.action <> all (${[...ownActions]}::text[])`

const behind = (epoch: string) => sql`
  select l.client_uid, l.event_uid from record_log l
  where l.read_epoch <> ${epoch} or l.form_from is null or exists (select from journal j
    where j.event_uid = l.event_uid and (j.xid, j.position) > (l.last_xid, l.last_position) and ${isSealedLater})
  union select e.client_uid, e.uid from event e
  where not exists (select from record_log l where (l.client_uid, l.event_uid) = (e.client_uid, e.uid))`

/** What logs that came from another installation have as their epochs, until they go on here. */
export const epochOfMoved = 'moved'

/** The host of the installation that the organisation came from. Null: it was made here. */
export async function findFormerHost(tx: Tx, { clientUid }: LogOf): Promise<string | null> {
  const { rows } = await sql<{ host: string | null }>`
    select moved_from as host from client where uid = ${clientUid}`.execute(tx)
  return rows[0]?.host ?? null
}

/** Age of the oldest entry that is not sealed, of events that run or have ended within an hour. 0: all is sealed. */
export async function findLagSeconds(system: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from clock_timestamp() - min(first.recorded_at))::float8 as seconds
    from event e left join record_log l on (l.client_uid, l.event_uid) = (e.client_uid, e.uid)
    cross join lateral (select j.recorded_at from journal j
      where j.event_uid = e.uid and ${isSealedLater}
        and (j.xid, j.position) > (coalesce(l.last_xid, '0'::xid8), coalesce(l.last_position, 0))
      order by j.xid, j.position limit 1) first
    where e.ended_at is null or e.ended_at > now() - interval '1 hour'`.execute(system)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Makes the log if no one has made it meanwhile. */
export async function openLog(system: Db, of: LogOf, epoch: string, secret: Buffer): Promise<LogState> {
  await sql`
    insert into record_log (client_uid, event_uid, salt_secret, form_from, epoch, read_epoch, marked_at)
    values (${of.clientUid}, ${of.eventUid}, ${secret}, 1, ${epoch}, ${epoch}, coalesce(
      (select started_at from event where (client_uid, uid) = (${of.clientUid}, ${of.eventUid})), now()))
    on conflict (client_uid, event_uid) do nothing`.execute(system)
  return getLog(system, of)
}

/** A secret for new lines. The old one is gone with the last row that it sealed. */
export async function renewSecret(system: Db, { clientUid, eventUid }: LogOf, secret: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ saltSecret: Buffer }>`
    update record_log set salt_secret = coalesce(salt_secret, ${secret})
    where (client_uid, event_uid) = (${clientUid}, ${eventUid}) returning salt_secret`.execute(system)
  return (rows[0] as { saltSecret: Buffer }).saltSecret
}

const state = sql`salt_secret, form_from, serial, size, last_xid::text, last_position, epoch, read_epoch`

/** Throws if there is none. */
export async function getLog(db: Db, { clientUid, eventUid }: LogOf): Promise<LogState> {
  const log = await findLog(db, { clientUid, eventUid })
  if (!log) throw new Error(`The event ${eventUid} has no log.`)
  return log
}

export async function findLog(db: Db, { clientUid, eventUid }: LogOf): Promise<LogState | undefined> {
  const { rows } = await sql<LogState>`
    select ${state} from record_log where (client_uid, event_uid) = (${clientUid}, ${eventUid})`.execute(db)
  return rows[0]
}

const utc = (column: string) => sql`to_char(j.${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** What a line is made of. */
export const rowColumns = sql`j.xid::text as xid, j.position, ${utc('recorded_at')} as recorded_at,
  ${utc('observed_at')} as observed_at, j.action, j.subject_type, j.subject_uid as subject, j.actor_person_uid as actor,
  j.actor_sign_in_uid as sign_in, j.session_uid as session, j.before, j.after`

/** The next rows below the horizon of the journal. */
export async function listUnsealed(system: Db, of: LogOf, after: LogState, most: number): Promise<UnsealedRow[]> {
  const { rows } = await sql<UnsealedRow>`${prepared('list_unsealed')}
    select ${rowColumns} from journal j
    where j.event_uid = ${of.eventUid} and (j.xid, j.position) > (${after.lastXid}::xid8, ${after.lastPosition}::bigint)
      and j.xid < ${journalHorizon} and ${isSealedLater}
    order by j.xid, j.position limit ${most}`.execute(system)
  return rows
}

/** Every transaction below it that can write into the journal has ended. */
export async function findHorizon(system: Db): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    select ${journalHorizon}::text as xid`.execute(system)
  return (rows[0] as { xid: string }).xid
}

/** Rows below that transaction that stand in no tile. Transaction ids of another database say nothing. */
export async function listMissing(system: Db, of: LogOf, below: string, most: number): Promise<UnsealedRow[]> {
  const { rows } = await sql<UnsealedRow>`
    with sealed as materialized (select unnest(t.keys) as position from log_tile t
      where (t.client_uid, t.event_uid, t.file) = (${of.clientUid}, ${of.eventUid}, 'journal'))
    select ${rowColumns} from journal j
    where j.event_uid = ${of.eventUid} and j.xid < ${below}::xid8
      and j.position not in (select position from sealed) and ${isSealedLater}
    order by j.xid, j.position limit ${most}`.execute(system)
  return rows
}

/** The newest row below that transaction. */
export async function findLastBelow(system: Db, of: LogOf, below: string) {
  const { rows } = await sql<{ lastXid: string; lastPosition: number }>`
    select j.xid::text as last_xid, j.position as last_position from journal j
    where j.event_uid = ${of.eventUid} and j.xid < ${below}::xid8
    order by j.xid desc, j.position desc limit 1`.execute(system)
  return rows[0] ?? { lastXid: '0', lastPosition: 0 }
}

/** The commits of the last tile of the journal, if it is not full. */
export async function findOpenTile(system: Db, of: LogOf, idx: number): Promise<Buffer> {
  const { rows } = await sql<{ commits: Buffer }>`
    select commits from log_tile
    where (client_uid, event_uid, file, idx) = (${of.clientUid}, ${of.eventUid}, 'journal', ${idx})`.execute(system)
  return rows[0]?.commits ?? Buffer.alloc(0)
}

/** Takes the log's row if no one has appended since. False: someone has. */
export async function moveOn(tx: Tx, of: LogOf, from: LogState, to: LogState): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update record_log set size = ${to.size}, last_xid = ${to.lastXid}::xid8, last_position = ${to.lastPosition},
      epoch = ${to.epoch}, read_epoch = ${to.readEpoch}, form_from = ${to.formFrom},
      sealed_at = case when size < ${to.size} then now() else sealed_at end
    where (client_uid, event_uid) = (${of.clientUid}, ${of.eventUid}) and size = ${from.size}
      and read_epoch = ${from.readEpoch}`.execute(tx)
  return numAffectedRows === 1n
}

export async function setSerial(tx: Tx, { clientUid, eventUid }: LogOf, serial: number): Promise<void> {
  await sql`
    update record_log set serial = ${serial} where (client_uid, event_uid) = (${clientUid}, ${eventUid})`.execute(tx)
}

/** What a batch adds to a tile. */
export interface TilePart {
  idx: number
  keys: number[]
  firstXid: number
  lastXid: number
  commits: Buffer
  /** Null until it is full. */
  hash: Buffer | null
  /** What the record counts of its entries. */
  facts: Buffer
}

/** Appends to the last tile and adds the next ones. */
export async function appendTiles(tx: Tx, { clientUid, eventUid }: LogOf, parts: readonly TilePart[]): Promise<void> {
  await tx
    .insertInto('logTile')
    .values(parts.map((part) => ({ clientUid, eventUid, file: 'journal', ...part })))
    .onConflict((conflict) =>
      conflict.columns(['clientUid', 'eventUid', 'file', 'idx']).doUpdateSet({
        keys: sql`log_tile.keys || excluded.keys`,
        firstXid: sql`least(log_tile.first_xid, excluded.first_xid)`,
        lastXid: sql`greatest(log_tile.last_xid, excluded.last_xid)`,
        commits: sql`log_tile.commits || excluded.commits`,
        // null stays null: rows are read where facts are missing
        facts: sql`log_tile.facts || excluded.facts`,
        hash: sql`excluded.hash`,
      }),
    )
    .execute()
}

/** What the log tells of itself as its next entry. */
export type OwnEntry = { action: (typeof ownActions)[number]; after: JsonObject }

/** Writes the entry. Returns it as a row to seal in this transaction. */
export async function writeOwn(tx: Tx, of: LogOf, { action, after }: OwnEntry): Promise<UnsealedRow> {
  const { rows } = await sql<UnsealedRow>`
    insert into journal as j (client_uid, event_uid, action, subject_type, subject_uid, after)
    values (${of.clientUid}, ${of.eventUid}, ${action}, 'event', ${of.eventUid}, ${JSON.stringify(after)}::jsonb)
    returning ${rowColumns}`.execute(tx)
  return rows[0] as UnsealedRow
}

/** True if the event runs, or its journal has rows that are not sealed, finished or not. */
export async function isBehind(system: Db, of: LogOf, { lastXid, lastPosition }: LogState): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    select exists (select from event e where (e.client_uid, e.uid) = (${of.clientUid}, ${of.eventUid}) and e.ended_at is null)
      or exists (select from journal j where j.event_uid = ${of.eventUid}
        and (j.xid, j.position) > (${lastXid}::xid8, ${lastPosition}::bigint) and ${isSealedLater}) as behind`.execute(
    system,
  )
  return rows[0]?.behind === true
}
