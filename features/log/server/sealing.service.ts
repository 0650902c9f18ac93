import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { openEpoch } from '#server/realtime/feed/epoch.ts'
import { packFacts } from './facts/facts.ts'
import { formChangeOf } from './form/form-change.service.ts'
import { listHeadsOf } from './head-log/head-log.queries.ts'
import { commitOf, isOpen, journalLine } from './log-line.ts'
import { hashLength, rootOf, tileWidth } from './merkle.ts'
import { openingOf } from './opening/opening.service.ts'
import type { LogOf, LogState, OwnEntry, TilePart, UnsealedRow } from './sealing.queries.ts'
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
    if (log.size === 0 && log.formFrom === 1) {
      await open(system, of, log)
      continue
    }
    if (log.formFrom === null) {
      const entry = await formChangeOf(system, of)
      await appendOwn(system, of, { log, to: { formFrom: log.size + 1 }, entry })
      continue
    }
    const found = log.readEpoch === epoch ? await findNext(system, of, log) : await findMissing(system, of, epoch)
    if (found && log.epoch !== epoch && (found.rows.length > 0 || log.epoch === queries.epochOfMoved)) {
      await appendOwn(system, of, { log, to: { epoch }, entry: (tx) => movedOf(tx, of, log) })
      continue
    }
    if (!found) return { size: log.size, isWhole: !(await queries.isBehind(system, of, log)) }
    await append(system, of, { log, ...found })
  }
}

/**
 * The log goes on in another database than before: after a restore, of which longer heads that were kept name what it has lost, or
 * in another installation, with the host of the one that it came from.
 */
async function movedOf(tx: Tx, of: LogOf, { size, epoch }: LogState): Promise<OwnEntry> {
  const heads = (await listHeadsOf(tx, of)).filter((head) => head.size > size)
  const lost = heads.map((head) => [head.size, head.root.toString('base64')])
  const host = epoch === queries.epochOfMoved ? await queries.findFormerHost(tx, of) : null
  return { action: 'log_moved', after: { from: size + 1, lost, ...(host && { host }) } }
}

/** The first entry of a log. */
const open = (system: Db, of: LogOf, log: LogState) =>
  appendOwn(system, of, {
    log,
    entry: async (tx) => {
      const { serial, entry } = await openingOf(tx, of)
      await queries.setSerial(tx, of, serial)
      return entry
    },
  })

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
 * itself. Does nothing if another node has appended meanwhile.
 */
async function append(system: Db, of: LogOf, { log, rows, place }: Found & { log: LogState }) {
  if (rows.some(({ action }) => !isOpen(action)))
    log.saltSecret ??= await queries.renewSecret(system, of, randomBytes(32))
  const parts = await partsOf(log, await openTileOf(system, of, log), rows)
  await system.transaction().execute(async (tx) => {
    if (!(await queries.moveOn(tx, of, log, { ...log, ...place, size: log.size + rows.length }))) return
    if (parts.length > 0) await queries.appendTiles(tx, of, parts)
  })
}

/** What the log tells of itself: written and sealed in one transaction, so it is the next entry or none. */
export async function appendOwn(
  system: Db,
  of: LogOf,
  { log, to = {}, entry }: { log: LogState; to?: Partial<LogState>; entry: (tx: Tx) => Promise<OwnEntry> },
): Promise<boolean> {
  const after = { ...log, ...to, size: log.size + 1 }
  const tile = await openTileOf(system, of, log)
  return system.transaction().execute(async (tx) => {
    if (!(await queries.moveOn(tx, of, log, after))) return false
    const row = await queries.writeOwn(tx, of, await entry(tx))
    await queries.appendTiles(tx, of, await partsOf({ ...after, size: log.size }, tile, [row]))
    return true
  })
}

const openTileOf = (system: Db, of: LogOf, { size }: LogState) =>
  queries.findOpenTile(system, of, Math.floor(size / tileWidth))

/** The rows by tile. `open`: the commits that the first of these tiles has. Requests have their turn after each tile. */
async function partsOf(log: LogState, open: Buffer, rows: readonly UnsealedRow[]): Promise<TilePart[]> {
  const { size } = log
  const commit = ([at, row]: [number, UnsealedRow]) => {
    const line = journalLine(log, size + at + 1, row)
    if (line === null) throw new Error('A log without its secret seals nothing.')
    return commitOf(line)
  }
  const tiles = Map.groupBy(rows.entries(), ([at]) => Math.floor((size + at) / tileWidth))
  const parts: TilePart[] = []
  for (const [idx, members] of tiles) {
    const commits = Buffer.concat(members.map(commit))
    const all = parts.length === 0 ? Buffer.concat([open, commits]) : commits
    const xids = members.map(([, row]) => Number(row.xid))
    parts.push({
      idx,
      keys: members.map(([, row]) => row.position),
      firstXid: Math.min(...xids),
      lastXid: Math.max(...xids),
      commits,
      hash: all.length === tileWidth * hashLength ? rootOf(leavesOf(all)) : null,
      facts: packFacts(members.map(([, row]) => row)),
    })
    await turn()
  }
  return parts
}
