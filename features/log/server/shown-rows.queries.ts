import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import { firstOwnTransaction } from '#server/platform/db/journal-horizon.ts'
import { listCovering } from './erasing/covering.queries.ts'
import { commitOf, type JournalRow, journalLine } from './log-line.ts'
import { findLog, type LogOf, rowColumns } from './sealing.queries.ts'

/** How a row of the journal stands in the log of its event. */
export interface ShownRow {
  /** Its number. Null: it is in no tile. */
  n: number | null
  /** It is what was logged, or the log says that words of it were erased. */
  isAsLogged: boolean
  /** The sealer has come past it: if it is in no tile, it never was in the log. */
  isBehind: boolean
}

/** Compares so many rows with the log, by their positions. */
export async function compareRows(
  db: Db,
  of: LogOf,
  keys: readonly { xid: string; position: string }[],
): Promise<ReadonlyMap<string, ShownRow>> {
  const log = await findLog(db, of)
  if (!log || keys.length === 0) return new Map()
  const positions = keys.map(({ position }) => BigInt(position)).toSorted((a, b) => (a < b ? -1 : 1))
  // To open each tile for each row took nearly two minutes for 100,000 rows, so only tiles that can have one of these are opened.
  const tiles = await listTilesOf(db, of, new Set(keys.map(({ xid }) => xid)))
  const { rows } = await sql<JournalRow & { key: string; isBehind: boolean; n: number | null; commit: Buffer | null }>`
    with near as materialized (
      select t.idx, t.keys, t.commits, t.first_xid, t.last_xid, ends.lowest, ends.highest from log_tile t
      cross join lateral (select min(key) as lowest, max(key) as highest from unnest(t.keys) key) ends
      where (t.client_uid, t.event_uid, t.file) = (${of.clientUid}, ${of.eventUid}, 'journal')
        and t.idx = any (${tiles}::int[])
        and ends.lowest <= ${`${positions.at(-1)}`}::bigint and ends.highest >= ${`${positions[0]}`}::bigint
    )
    select j.position::text as key, ${rowColumns}, (j.xid, j.position) <= (${log.lastXid}::xid8, ${log.lastPosition}::bigint) as is_behind,
      t.n, t.commit
    from unnest(${keys.map(({ xid }) => xid)}::text[]::xid8[], ${keys.map(({ position }) => position)}::text[]::bigint[]) k (xid, position)
    join journal j on j.event_uid = ${of.eventUid} and j.xid = k.xid and j.position = k.position
    left join lateral (
      select (t.idx * 256 + array_position(t.keys, j.position))::int as n,
        substr(t.commits, (array_position(t.keys, j.position) - 1) * 32 + 1, 32) as commit
      from near t where j.position between t.lowest and t.highest
        and (j.xid < ${firstOwnTransaction} or j.xid::text::bigint between t.first_xid and t.last_xid) and j.position = any (t.keys) limit 1) t on true`.execute(
    db,
  )
  const { covered } = await listCovering(db, of)
  return new Map(
    rows.map(({ key, isBehind, n, commit, ...row }) => {
      const line = n === null ? null : journalLine(log, n, row)
      const isErased = n !== null && covered.has('journal', n)
      const isAsLogged = isErased || (line !== null && commit !== null && commitOf(line).equals(commit))
      return [key, { n, isAsLogged, isBehind }]
    }),
  )
}

/** Numbers of the tiles that may have rows of these transactions: all of them if one came from elsewhere. */
async function listTilesOf(db: Db, of: LogOf, xids: ReadonlySet<string>): Promise<number[]> {
  const { rows } = await sql<{ idx: number; from: number; to: number; own: number }>`
    select idx, first_xid::float8 as "from", last_xid::float8 as "to", ${firstOwnTransaction}::text::float8 as own from log_tile
    where (client_uid, event_uid, file) = (${of.clientUid}, ${of.eventUid}, 'journal')`.execute(db)
  const wanted = [...xids].map(Number)
  const isOwn = wanted.every((xid) => xid >= (rows[0]?.own ?? 0))
  return rows.flatMap(({ idx, from, to }) => (isOwn && !wanted.some((xid) => xid >= from && xid <= to) ? [] : [idx]))
}

/** Numbers of entries between these two that have no row, though no entry says that they were erased. */
export async function listMissingEntries(db: Db, of: LogOf, from: number, to: number): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    with wanted as materialized (
      select (t.idx * 256 + k.nth)::int as n, k.position, t.first_xid, t.last_xid
      from log_tile t cross join unnest(t.keys) with ordinality k (position, nth)
      where (t.client_uid, t.event_uid, t.file) = (${of.clientUid}, ${of.eventUid}, 'journal')
        and t.idx between ${Math.floor((from - 1) / 256)} and ${Math.floor((to - 1) / 256)}
        and t.idx * 256 + k.nth between ${from} and ${to}
    ), ends as materialized (
      select min(first_xid)::text::xid8 as first_xid, max(last_xid)::text::xid8 as last_xid, min(position) as lowest, max(position) as highest
      from wanted
    ), there as materialized (
      select j.xid, j.position from ends join journal j on j.event_uid = ${of.eventUid}
        and j.xid between ends.first_xid and ends.last_xid and j.position between ends.lowest and ends.highest
      union all
      select j.xid, j.position from ends join journal j on j.event_uid = ${of.eventUid}
        and j.xid < ${firstOwnTransaction} and j.position between ends.lowest and ends.highest
    )
    select n from wanted w
    where not exists (select from there j where j.position = w.position
      and (j.xid < ${firstOwnTransaction} or j.xid::text::bigint between w.first_xid and w.last_xid))
    order by n`.execute(db)
  if (rows.length === 0) return []
  const { covered } = await listCovering(db, of)
  return rows.map(({ n }) => n).filter((n) => !covered.has('journal', n))
}
