import type { Db } from '#server/platform/db/db.ts'
import { strayWords } from '../../words.ts'
import { listRowsOf } from '../bundle.queries.ts'
import { dataFiles, readTiles } from '../data-files.queries.ts'
import type { Covered } from '../erasing/covered.ts'
import { listCovering } from '../erasing/covering.queries.ts'
import { findStoredRecord } from '../erasing/erasure.queries.ts'
import { findMovedFrom, listHeadsOf } from '../head-log/head-log.queries.ts'
import { type Addition, commitOfAddition } from '../log-additions.service.ts'
import { commitOf, isWithheld, journalLine } from '../log-line.ts'
import { MerkleTree, piecesOf, rootOf, tileWidth } from '../merkle.ts'
import { unpackLines } from '../packed-lines.ts'
import { type RecordLine, recordLines, saysStill } from '../record-lines.ts'
import { getLog, type LogOf, type LogState } from '../sealing.queries.ts'
import { leavesOf } from '../tiles.ts'
import * as queries from './check-logs.queries.ts'

const tilesAtOnce = 16

/** What does not fit, as a sentence. */
class Trouble extends Error {}
const trouble = (sentence: string) => {
  throw new Trouble(sentence)
}

interface Checking {
  db: Db
  of: LogOf
  log: LogState
  covered: Covered
  /** Called after each piece of work, to let others have the processor. */
  pause: () => Promise<unknown>
}

/** Additions of an event as its log has them, by their uids. */
export type ReadAdditions = (db: Db, of: LogOf) => Promise<ReadonlyMap<string, Addition>>

/** Compares all that the database has of a log with what was sealed and signed. Returns the first thing that does not fit, or null. */
export async function checkLog(
  db: Db,
  of: LogOf,
  { readAdditions, pause }: { readAdditions: ReadAdditions; pause: Checking['pause'] },
): Promise<{ size: number; trouble: string | null }> {
  const log = await getLog(db, of)
  const { covered } = await listCovering(db, of)
  const checking = { db, of, log, covered, pause }
  try {
    const numbers = await checkJournal(checking)
    await checkFiles(checking)
    await checkAdditions(checking, numbers, await readAdditions(db, of))
    const strays = await queries.countStrays(db, of)
    if (strays > 0) trouble(strayWords(strays))
    return { size: log.size, trouble: null }
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    return { size: log.size, trouble: error.message }
  }
}

/** Rows against commits, and commits against the heads that were kept. Returns the numbers of entries by position. */
async function checkJournal(checking: Checking): Promise<Map<number, number>> {
  const { db, of, log, pause } = checking
  const heads = await headsToFit(db, of, log)
  const tree = new MerkleTree()
  const numbers = new Map<number, number>()
  for (let from = 0; from * tileWidth < log.size; from += tilesAtOnce) {
    const tiles = await queries.listTiles(db, of, from, tilesAtOnce)
    const rows = new Map((await listRowsOf(db, of, tiles)).map((row) => [row.position, row]))
    for (const tile of tiles) {
      checkRows(checking, tile, rows)
      for (const [at, key] of tile.keys.entries()) numbers.set(key, tile.idx * tileWidth + at + 1)
      growTree(tree, tile, heads)
      await pause()
    }
  }
  if (numbers.size !== log.size) trouble(`The log has ${log.size} entries; its tiles have ${numbers.size}.`)
  for (const { size, root } of heads.values()) brokenHead(size, root)
  return numbers
}

const brokenHead = (size: number, root: Buffer) =>
  trouble(`This log no longer continues its head ${size} ${root.toString('base64')}.`)

/** Heads that the log has to continue, by size. What a restore has lost is told of by `log_moved`. */
async function headsToFit(db: Db, of: LogOf, { epoch }: LogState) {
  const moved = await findMovedFrom(db, of)
  const heads = (await listHeadsOf(db, of)).filter(
    (head) => head.epoch === epoch || moved === undefined || head.size < moved,
  )
  return new Map(heads.map((head) => [head.size, head]))
}

/** Takes from `heads` those that fit. */
function growTree(
  tree: MerkleTree,
  { idx, commits, hash }: queries.CheckedTile,
  heads: Awaited<ReturnType<typeof headsToFit>>,
) {
  const leaves = leavesOf(commits)
  if (leaves.length === tileWidth && !hash?.equals(rootOf(leaves)))
    trouble(`Tile ${idx + 1} of the log has another hash than its entries.`)
  for (const [at, leaf] of leaves.entries()) {
    tree.add(leaf)
    const size = idx * tileWidth + at + 1
    const head = heads.get(size)
    if (head && !tree.root().equals(head.root)) brokenHead(size, head.root)
    heads.delete(size)
  }
}

function checkRows(
  { log, covered }: Checking,
  { idx, keys, commits }: queries.CheckedTile,
  rows: ReadonlyMap<number, Parameters<typeof journalLine>[2]>,
) {
  const pieces = piecesOf(commits)
  for (const [at, key] of keys.entries()) {
    const n = idx * tileWidth + at + 1
    if (covered.has('journal', n)) continue
    const row = rows.get(key)
    const line = row ? journalLine(log, n, row) : null
    if (line === null) trouble(`Entry ${n} is missing, and no entry says that it was erased.`)
    else if (!commitOf(line).equals(pieces[at] as Buffer)) trouble(`Entry ${n} is not what was logged.`)
  }
}

/** Packed lines against commits, and the record as it is stored against its lines. */
async function checkFiles({ db, of, covered, pause }: Checking): Promise<void> {
  const stored = await findStoredRecord(db, of)
  let known = 0
  let isWhole = true
  for (const file of dataFiles) {
    let n = 0
    for await (const { commits, lines } of readTiles(db, of, file)) {
      const texts = await unpackLines(lines)
      for (const [at, commit] of piecesOf(commits).entries()) {
        n++
        const line = texts[at]
        if (covered.has(file, n)) isWhole &&= file !== 'record'
        else if (!line || isWithheld(line))
          trouble(`Line ${n} of ${file}.ndjson is missing, and no entry says that it was erased.`)
        else if (!commitOf(line).equals(commit)) trouble(`Line ${n} of ${file}.ndjson is not what was closed.`)
        else if (file === 'record') {
          known++
          requireSaid(stored, JSON.parse(line))
        }
      }
      await pause()
    }
  }
  if (stored && isWhole && known > 0 && recordLines(stored).length !== known)
    trouble('The stored record says more than was closed.')
}

function requireSaid(stored: Parameters<typeof saysStill>[0] | null, line: RecordLine): void {
  if (!stored || !saysStill(stored, line)) trouble(`The stored record does not say what was closed: ${line.path}.`)
}

async function checkAdditions(
  { db, of, covered }: Checking,
  numbers: ReadonlyMap<number, number>,
  additions: ReadonlyMap<string, Addition>,
): Promise<void> {
  let nth = 0
  for (const { position, uid, commit } of await queries.listCommitted(db, of)) {
    const n = numbers.get(position)
    if (n === undefined) continue
    nth++
    if (covered.has('entries', n)) continue
    const addition = additions.get(uid)
    if (!addition || addition.salt === null)
      trouble(`Addition ${nth} is missing, and no entry says that it was erased.`)
    else if (commitOfAddition(addition) !== commit) trouble(`Addition ${nth} is not what was logged.`)
  }
}
