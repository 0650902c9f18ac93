import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { openEpoch } from '#server/realtime/feed/epoch.ts'
import { commitOf, journalLine } from './log-line.ts'
import { hashLength, rootOf, tileWidth } from './merkle.ts'
import type { LogOf, LogState, TilePart, UnsealedRow } from './sealing.queries.ts'
import * as queries from './sealing.queries.ts'
import { leavesOf } from './tiles.ts'

const batchRows = 4_096

/** How far a log is. */
export interface Sealed {
  size: number
  /** The event has ended and nothing of it is unsealed, not even in an open transaction. */
  isWhole: boolean
}

/**
 * Seals what has grown. Any number of nodes may run it. With `all` it also looks for logs and ended events that
 * no one has sealed for an hour. A log that cannot be sealed stops no other one.
 */
export async function sealDue(system: Db, onTrouble: (error: unknown) => void, all = false): Promise<void> {
  const epoch = await openEpoch(system)
  for (const of of await queries.listDue(system, epoch, all)) await sealIn(system, of, epoch).catch(onTrouble)
}

/** Seals one event as far as it can be. Makes its log if there is none. */
export async function sealEvent(system: Db, of: LogOf): Promise<Sealed> {
  return sealIn(system, of, await openEpoch(system))
}

async function sealIn(system: Db, of: LogOf, epoch: string): Promise<Sealed> {
  for (;;) {
    const log = (await queries.findLog(system, of)) ?? (await queries.openLog(system, of, epoch, randomBytes(32)))
    const found = log.readEpoch === epoch ? await findNext(system, of, log) : await findMissing(system, of, epoch)
    if (!found) return { size: log.size, isWhole: !(await queries.isBehind(system, of, log)) }
    await append(system, of, { log, epoch, ...found })
  }
}

/** Rows to seal, and where the log is read on after them. */
interface Found {
  rows: UnsealedRow[]
  place: Partial<LogState>
}

async function findNext(system: Db, of: LogOf, log: LogState): Promise<Found | undefined> {
  const rows = await queries.listUnsealed(system, of, log, batchRows)
  const last = rows.at(-1)
  return last && { rows, place: { lastXid: last.xid, lastPosition: last.position } }
}

/** In another database than before, rows are found by their positions, until all of them are sealed. */
async function findMissing(system: Db, of: LogOf, epoch: string): Promise<Found> {
  const below = await queries.findHorizon(system)
  const rows = await queries.listMissing(system, of, below, batchRows)
  if (rows.length === batchRows) return { rows, place: {} }
  return { rows, place: { ...(await queries.findLastBelow(system, of, below)), readEpoch: epoch } }
}

/**
 * Lines and hashes are made before the transaction, which is short: an open one would hold back the feed and sealing
 * itself. Does nothing if another node has appended meanwhile. The first entry in another database is `log_moved`.
 */
async function append(system: Db, of: LogOf, { log, epoch, rows, place }: Found & { log: LogState; epoch: string }) {
  if (rows.length > 0) log.saltSecret ??= await queries.renewSecret(system, of, randomBytes(32))
  const moves = rows.length > 0 && log.epoch !== epoch
  const open = await queries.findOpenTile(system, of, Math.floor(log.size / tileWidth))
  const parts = moves ? undefined : await partsOf(log, open, rows)
  await system.transaction().execute(async (tx) => {
    const size = log.size + rows.length + Number(moves)
    if (!(await queries.moveOn(tx, of, log, { ...log, ...place, size, epoch: moves ? epoch : log.epoch }))) return
    await appendAll(tx, of, parts ?? (await partsOf(log, open, [await queries.writeMoved(tx, of, log.size), ...rows])))
  })
}

const appendAll = async (tx: Tx, of: LogOf, parts: readonly TilePart[]) => {
  if (parts.length > 0) await queries.appendTiles(tx, of, parts)
}

/** The rows by tile. `open`: the commits that the first of these tiles has. Requests have their turn after each tile. */
async function partsOf(
  { saltSecret, size }: LogState,
  open: Buffer,
  rows: readonly UnsealedRow[],
): Promise<TilePart[]> {
  if (!saltSecret) throw new Error('A log without its secret seals nothing.')
  const tiles = Map.groupBy(rows.entries(), ([at]) => Math.floor((size + at) / tileWidth))
  const parts: TilePart[] = []
  for (const [idx, members] of tiles) {
    const commits = Buffer.concat(members.map(([at, row]) => commitOf(journalLine(saltSecret, size + at + 1, row))))
    const all = parts.length === 0 ? Buffer.concat([open, commits]) : commits
    const xids = members.map(([, row]) => Number(row.xid))
    parts.push({
      idx,
      keys: members.map(([, row]) => row.position),
      firstXid: Math.min(...xids),
      lastXid: Math.max(...xids),
      commits,
      hash: all.length === tileWidth * hashLength ? rootOf(leavesOf(all)) : null,
    })
    await turn()
  }
  return parts
}
