import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import { firstOwnTransaction } from '#server/platform/db/journal-horizon.ts'
import type { JournalRow } from './log-line.ts'
import { type LogOf, rowColumns } from './sealing.queries.ts'

export interface JournalTile {
  idx: number
  keys: number[]
  firstXid: number
  lastXid: number
  commits: Buffer
}

/** So many tiles of the journal, from the one of that number on. */
export async function listJournalTiles(db: Db, of: LogOf, from: number, most: number): Promise<JournalTile[]> {
  const { rows } = await sql<JournalTile>`
    select idx, keys, first_xid, last_xid, commits from log_tile
    where (client_uid, event_uid, file) = (${of.clientUid}, ${of.eventUid}, 'journal')
      and idx >= ${from} and idx < ${from + most} order by idx`.execute(db)
  return rows
}

/**
 * Rows of the event's journal that these tiles may have sealed. After a restore or a move the ids of their transactions
 * are not those of the tiles, so that their positions find them.
 */
export async function listRowsOf(db: Db, of: LogOf, tiles: readonly JournalTile[]): Promise<JournalRow[]> {
  const [first, last] = [
    Math.min(...tiles.map((tile) => tile.firstXid)),
    Math.max(...tiles.map((tile) => tile.lastXid)),
  ]
  const keys = tiles.flatMap((tile) => tile.keys)
  const [from, to] = [
    keys.reduce((least, key) => Math.min(least, key)),
    keys.reduce((most, key) => Math.max(most, key)),
  ]
  const { rows } = await sql<JournalRow>`
    select ${rowColumns} from journal j
    where j.event_uid = ${of.eventUid} and j.xid between ${first}::text::xid8 and ${last}::text::xid8
      and j.xid >= ${firstOwnTransaction} and j.position between ${from} and ${to}
    union all
    select ${rowColumns} from journal j
    where j.event_uid = ${of.eventUid} and j.xid < ${firstOwnTransaction} and j.position between ${from} and ${to}`.execute(
    db,
  )
  return rows
}
