import { createHash } from 'node:crypto'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import {
  type ClosingFile,
  type DataFile,
  type DataRow,
  digestOf,
  type PackedTile,
  readNow,
  readRows,
  saveTiles,
} from './data-files.queries.ts'
import { findEnd } from './erasing/erasure.queries.ts'
import { refuseErased } from './erasing/erasure.service.ts'
import { commitOf, dataLines } from './log-line.ts'
import { tileWidth } from './merkle.ts'
import { packLines } from './packed-lines.ts'
import { recordLines } from './record-lines.ts'
import type { LogOf } from './sealing.queries.ts'

/** Lines read at one time. */
const pageRows = 16 * tileWidth

/** A data file, ready to be kept. */
interface PackedFile {
  lines: number
  /** SHA-256 of all commits, in hexadecimal digits. */
  sha256: string
  tiles: PackedTile[]
}
const closingFiles = ['ends', 'texts', 'messages'] as const
export interface PackedFiles extends Record<ClosingFile, PackedFile> {
  /** By the database's clock. */
  packedAt: Date
}

/** What is known of a record at its closing. */
export interface Closing {
  number: number
  kind: 'live' | 'drill'
  /** The record before it in this organisation. `root` in base64. Null of the first one. */
  previous: { number: number; size: number; root: string } | null
}

/** What the journal entry `record_closed` holds as `after`. */
export type ClosedWith = Closing & {
  /** When the event ended, ISO 8601 in UTC. Null: its journal does not say it any more. */
  ended: string | null
  files: Record<DataFile, { lines: number; sha256: string }>
}

/**
 * Reads and packs how it ended, texts and messages of an ended event, in one view of the database. Writes nothing, so
 * the feed waits for nothing. Takes 100 bytes of memory or so for each line.
 */
export async function packDataFiles(system: Db, of: LogOf): Promise<PackedFiles> {
  return system
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      packedAt: await readNow(tx),
      ends: await pack(tx, of, 'ends'),
      texts: await pack(tx, of, 'texts'),
      messages: await pack(tx, of, 'messages'),
    }))
}

const pack = (tx: Tx, of: LogOf, file: ClosingFile) => packPages(readRows(tx, of, file, pageRows))

/** The lines of a record, each with what it says. */
export const packRecord = (record: JsonObject): Promise<PackedFile> =>
  packPages([recordLines(record).map((line) => ({ line: JSON.stringify(line) }))])

async function packPages(pages: AsyncIterable<DataRow[]> | Iterable<DataRow[]>): Promise<PackedFile> {
  const digest = createHash('sha256')
  const tiles: PackedTile[] = []
  let lines = 0
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += tileWidth) {
      const tile = await packTile(page.slice(at, at + tileWidth), tiles.length)
      digest.update(tile.commits)
      tiles.push(tile)
    }
    lines += page.length
  }
  return { lines, sha256: digest.digest('hex'), tiles }
}

async function packTile(rows: readonly DataRow[], idx: number): Promise<PackedTile> {
  const first = idx * tileWidth + 1
  const lines = dataLines(rows, first)
  return {
    idx,
    keys: [],
    commits: Buffer.concat(lines.map(commitOf)),
    lines: await packLines(lines),
  }
}

/**
 * Keeps the packed files and the record. The caller journals what it returns as `record_closed` in the same transaction, so that
 * a closing that fails leaves nothing. The transaction must be of read committed, and the log must have been sealed once, with
 * everyone who joined. Throws at a second closing, and if a person was erased since the packing.
 */
export async function closeLog(
  tx: Tx,
  of: LogOf,
  closing: Closing,
  { packedAt, ...packed }: PackedFiles & { record: PackedFile },
): Promise<ClosedWith> {
  await refuseErased(tx, of.clientUid, packedAt)
  for (const file of [...closingFiles, 'record'] as const) await keepFile(tx, of, file, packed[file])
  const told = ({ lines, sha256 }: PackedFile) => ({ lines, sha256 })
  return {
    ...closing,
    ended: (await findEnd(tx, of))?.toISOString() ?? null,
    files: {
      people: await digestOf(tx, of, 'people'),
      ends: told(packed.ends),
      texts: told(packed.texts),
      messages: told(packed.messages),
      record: told(packed.record),
    },
  }
}

/** Keeps the lines of a file that has none yet. */
async function keepFile(tx: Tx, of: LogOf, file: DataFile, { tiles }: PackedFile): Promise<void> {
  if (tiles.length > 0) await saveTiles(tx, of, file, tiles)
}
