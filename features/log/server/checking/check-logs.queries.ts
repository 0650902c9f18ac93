import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { type LogOf, ownActions } from '../sealing.queries.ts'

const ofLog = ({ clientUid, eventUid }: LogOf) => sql`(client_uid, event_uid) = (${clientUid}, ${eventUid})`

/**
 * Takes a log that is due, and notes that it is looked at: each day one that ran or grew within 30 days, else every 30 days. With
 * `before` any that was not looked at since then.
 */
export async function takeDue(system: Db, before?: Date): Promise<LogOf | undefined> {
  const isDue = before
    ? sql`coalesce(l.looked_at < ${before}, true)`
    : sql`coalesce(l.looked_at < now() - case when l.sealed_at > now() - interval '30 days' then interval '20 hours'
        else interval '30 days' end, true)`
  const { rows } = await sql<LogOf>`
    update record_log set looked_at = now()
    where (client_uid, event_uid) = (
      select l.client_uid, l.event_uid from record_log l where ${isDue} and l.form_from is not null
      order by l.looked_at nulls first limit 1 for update skip locked)
    returning client_uid, event_uid`.execute(system)
  return rows[0]
}

/** Notes what was found. `trouble` null: all is as logged. */
export async function noteChecked(system: Db, of: LogOf, size: number, trouble: string | null): Promise<void> {
  await sql`
    update record_log set checked_at = now(), checked_size = ${size},
      trouble_at = case when ${trouble}::text is null then null when trouble is null then now() else trouble_at end,
      trouble_mailed_at = case when ${trouble}::text is null then null else trouble_mailed_at end,
      trouble = ${trouble}
    where ${ofLog(of)}`.execute(system)
}

export interface CheckedTile {
  idx: number
  keys: number[]
  firstXid: number
  lastXid: number
  commits: Buffer
  hash: Buffer | null
}

export async function listTiles(db: Db, of: LogOf, from: number, most: number): Promise<CheckedTile[]> {
  const { rows } = await sql<CheckedTile>`
    select idx, keys, first_xid, last_xid, commits, hash from log_tile
    where ${ofLog(of)} and file = 'journal' and idx >= ${from} and idx < ${from + most} order by idx`.execute(db)
  return rows
}

/** Rows of the journal up to the place that the sealer has reached, in no tile. */
export async function countStrays(db: Db, of: LogOf): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with sealed as materialized (select unnest(t.keys) as position from log_tile t where ${ofLog(of)} and t.file = 'journal')
    select count(*)::int as count from record_log l join journal j on j.event_uid = l.event_uid
    where (l.client_uid, l.event_uid) = (${of.clientUid}, ${of.eventUid})
      and ((j.xid, j.position) <= (l.last_xid, l.last_position) or j.action = any (${[...ownActions]}::text[]))
      and j.position not in (select position from sealed)`.execute(db)
  return rows[0]?.count ?? 0
}

/** Additions that entries of the log have committed to, in its order, with the numbers of those. */
export async function listCommitted(db: Db, { eventUid }: LogOf) {
  const { rows } = await sql<{ position: number; uid: string; commit: string }>`
    select position, after ->> 'entry_uid' as uid, after ->> 'commit' as commit from journal
    where event_uid = ${eventUid} and action = 'record_entry_added' and after ? 'commit' order by journal.xid, journal.position`.execute(
    db,
  )
  return rows
}

/** Logs with trouble of which no one was told by mail. */
export async function listUntold(system: Db): Promise<LogOf[]> {
  const { rows } = await sql<LogOf>`
    select client_uid, event_uid from record_log where trouble is not null and trouble_mailed_at is null`.execute(
    system,
  )
  return rows
}

/** Notes that the organisation is told, and returns the trouble. Undefined if another worker has noted it. */
export async function takeUntold(tx: Tx, of: LogOf): Promise<string | undefined> {
  const { rows } = await sql<{ trouble: string }>`
    update record_log set trouble_mailed_at = now() where ${ofLog(of)} and trouble is not null and trouble_mailed_at is null
    returning trouble`.execute(tx)
  return rows[0]?.trouble
}

/** Addresses of the administrators of the whole organisation. */
export async function listAdministrators(tx: Tx, { clientUid }: LogOf) {
  const { rows } = await sql<{ accountUid: string | null; email: string }>`
    select distinct on (lower(coalesce(c.email, p.email))) p.account_uid, coalesce(c.email, p.email) as email
    from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
    left join account c on c.uid = p.account_uid
    where g.client_uid = ${clientUid} and g.reach = 'organisation' and g.revoked_at is null
      and coalesce(c.email, p.email) is not null
    order by lower(coalesce(c.email, p.email)), p.uid`.execute(tx)
  return rows
}

/** Heads of logs that are not here any more: the newest of each. */
export async function listGone(db: Db) {
  const { rows } = await sql<{ eventUid: string; serial: number | null; size: number; root: string }>`
    select distinct on (h.client_uid, h.event_uid) h.event_uid, h.serial, h.size, encode(h.root, 'base64') as root from head_log h
    where not exists (select from record_log l where (l.client_uid, l.event_uid) = (h.client_uid, h.event_uid))
    order by h.client_uid, h.event_uid, h.n desc`.execute(db)
  return rows
}
