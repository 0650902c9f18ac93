import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Db, Tx } from '#server/platform/db/db.ts'
import {
  type DataFile,
  type DataRow,
  dataFiles,
  type PackedTile,
  readNow,
  readRows,
  saveTiles,
} from './data-files.queries.ts'
import { refuseErased } from './erasure.service.ts'
import { commitOf, form, newSalt, saltedLine } from './log-line.ts'
import { tileWidth } from './merkle.ts'
import type { LogOf } from './sealing.queries.ts'

const compress = promisify(gzip)
/** Lines read at one time. */
const pageRows = 16 * tileWidth

/** A data file, ready to be kept. */
interface PackedFile {
  lines: number
  /** SHA-256 of all commits, in hexadecimal digits. */
  sha256: string
  tiles: PackedTile[]
}
export interface PackedFiles extends Record<DataFile, PackedFile> {
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
export type ClosedWith = Closing & { files: Record<DataFile, { lines: number; sha256: string }> }

/**
 * Reads and packs people, texts and messages of an ended event, in one view of the database. Writes nothing, so
 * the feed waits for nothing. Takes 100 bytes of memory or so for each line.
 */
export async function packDataFiles(system: Db, of: LogOf): Promise<PackedFiles> {
  return system
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      packedAt: await readNow(tx),
      people: await pack(tx, of, 'people'),
      texts: await pack(tx, of, 'texts'),
      messages: await pack(tx, of, 'messages'),
    }))
}

async function pack(tx: Tx, of: LogOf, file: DataFile): Promise<PackedFile> {
  const digest = createHash('sha256')
  const tiles: PackedTile[] = []
  let lines = 0
  for await (const page of readRows(tx, of, file, pageRows)) {
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
  const lines = rows.map(({ line }, at) => saltedLine(newSalt(), { v: form, n: first + at, ...line }))
  return {
    idx,
    keys: [],
    commits: Buffer.concat(lines.map(commitOf)),
    lines: await compress(lines.join('\n')),
  }
}

/**
 * Keeps the packed files. The caller journals what it returns as `record_closed` in the same transaction, so that
 * a closing that fails leaves nothing. The transaction must be of read committed, and the log must have been sealed once.
 * Throws at a second closing, and if a person was erased since the packing.
 */
export async function closeLog(tx: Tx, of: LogOf, closing: Closing, packed: PackedFiles): Promise<ClosedWith> {
  await refuseErased(tx, of.clientUid, packed.packedAt)
  for (const file of dataFiles) if (packed[file].tiles.length > 0) await saveTiles(tx, of, file, packed[file].tiles)
  const told = ({ lines, sha256 }: PackedFile) => ({ lines, sha256 })
  return {
    ...closing,
    files: { people: told(packed.people), texts: told(packed.texts), messages: told(packed.messages) },
  }
}
