import { resolve } from 'node:path'
import type { Db } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { listJournalTiles, listRowsOf } from './bundle.queries.ts'
import { type DataFile, dataFiles, digestOf, readTiles } from './data-files.queries.ts'
import { listCovering } from './erasing/covering.queries.ts'
import { listHeadsOf } from './head-log/head-log.queries.ts'
import { proveHead } from './head-log/head-log.service.ts'
import { headsOf, listVerifierKeys } from './heads.service.ts'
import { isWithheld, journalLine, withheldLine } from './log-line.ts'
import { hashLength, piecesOf, rootOf, tileWidth } from './merkle.ts'
import { unpackLines } from './packed-lines.ts'
import { getLog, type LogOf } from './sealing.queries.ts'
import type { Signer } from './signed-note.ts'
import { leavesOf, lowestTiles, upperTiles } from './tiles.ts'

/** One file without dependencies. The same is part of each bundle. */
export const checkerFile = resolve(import.meta.dirname, '../../../check/record-check.mjs')

/** Tiles of the journal read at one time. */
const tilesAtOnce = 16

/** A line of a bundle as an object: an entry of the journal, a person, a text or a message. */
export type BundleLine = JsonObject
export type BundleFileName = 'journal' | DataFile
/** A signed checkpoint of the log of heads. */
type HeadsCheckpoint = Parameters<typeof proveHead>[2] | null

/** True if the reader's reach has the line. */
export type IsInReach = (file: BundleFileName, line: BundleLine) => boolean

export interface BundleFile {
  /** Inside the bundle. */
  path: string
  /** In pieces, so that a file of any size takes little memory. */
  content: AsyncIterable<Buffer | string> | Iterable<Buffer | string>
}

/**
 * The lines of a file of the first `size` entries, without new lines. Withheld ones stand in their places: erased as an entry
 * says, missing without one, or beyond the reach. Nothing is repaired: a line that is not what was logged is shown as it is.
 */
export async function* linesOf(
  db: Db,
  of: LogOf,
  { file, size, isInReach }: { file: BundleFileName; size: number; isInReach: IsInReach },
): AsyncGenerator<string> {
  const { covered } = await listCovering(db, of, size)
  const all = file === 'journal' ? journalLines(db, of, size) : dataLines(db, of, file)
  for await (const { n, line, commit } of all) {
    if (covered.has(file, n)) yield withheldLine('erased', commit)
    else if (line === null) yield withheldLine('missing', commit)
    else if (isInReach(file, JSON.parse(line))) yield line
    else yield withheldLine('not in your area', commit)
  }
}

interface Line {
  n: number
  /** Null: it is gone. */
  line: string | null
  commit: Buffer
}

async function* journalLines(db: Db, of: LogOf, size: number): AsyncGenerator<Line> {
  const log = await getLog(db, of)
  for (let from = 0; from * tileWidth < size; from += tilesAtOnce) {
    const tiles = await listJournalTiles(db, of, from, tilesAtOnce)
    const rows = new Map((await listRowsOf(db, of, tiles)).map((row) => [row.position, row]))
    for (const { idx, keys, commits } of tiles) {
      const pieces = piecesOf(commits)
      for (const [at, key] of keys.entries()) {
        const n = idx * tileWidth + at + 1
        if (n > size) return
        const row = rows.get(key)
        yield { n, line: row ? journalLine(log, n, row) : null, commit: pieces[at] as Buffer }
      }
    }
  }
}

async function* dataLines(db: Db, of: LogOf, file: DataFile): AsyncGenerator<Line> {
  let n = 0
  for await (const { commits, lines } of readTiles(db, of, file)) {
    const texts = await unpackLines(lines)
    for (const [at, commit] of piecesOf(commits).entries()) {
      const line = texts[at]
      yield { n: ++n, line: !line || isWithheld(line) ? null : line, commit }
    }
  }
}

/** What the lines of the record are about, in their order, and whether their values are gone. */
export async function listRecordPaths(db: Db, of: LogOf): Promise<{ path: string; isGone: boolean }[]> {
  const paths: { path: string; isGone: boolean }[] = []
  for await (const { lines } of readTiles(db, of, 'record')) {
    const texts = await unpackLines(lines)
    for (const text of texts) paths.push({ path: JSON.parse(text).path ?? '', isGone: isWithheld(text) })
  }
  return paths
}

/** The first 16 digits of the SHA-256 of log/record.commits: of what a record said when it was closed. Null: no line of it is kept. */
export async function recordDigits(db: Db, of: LogOf): Promise<string | null> {
  const { lines, sha256 } = await digestOf(db, of, 'record')
  return lines > 0 ? sha256.slice(0, 16) : null
}

/**
 * The files of a bundle that prove: log/, key.txt, and the lines of the journal and of the data files. They are those of the newest head, which must have been signed. The exporter adds the others, and the manifest.
 */
export async function* bundleFiles(
  db: Db,
  of: LogOf,
  {
    signer,
    heads: checkpoint,
    isInReach,
  }: { signer: Omit<Signer, 'sign'>; heads: HeadsCheckpoint; isInReach: IsInReach },
): AsyncGenerator<BundleFile> {
  const heads = await headsOf(db, of)
  const newest = heads.at(-1)
  if (!newest) throw new Error(`The log of the event ${of.eventUid} has no head.`)
  const { size } = newest
  for (const file of ['journal', ...dataFiles] as const)
    yield { path: `${file}.ndjson`, content: endLines(linesOf(db, of, { file, size, isInReach })) }
  yield { path: 'log/checkpoint', content: [newest.note] }
  const kept = (await listHeadsOf(db, of)).find(({ note }) => note === newest.note)
  if (kept && checkpoint && checkpoint.size >= kept.n)
    yield { path: 'log/head.tlog-proof', content: [await proveHead(db, kept.n, checkpoint)] }
  for (const head of heads) {
    yield { path: `log/heads/${head.size}`, content: [head.note] }
    if (head.tsr) yield { path: `log/${head.size}.tsr`, content: [head.tsr] }
  }
  yield* treeFiles(db, of, size)
  for (const file of dataFiles) yield { path: `log/${file}.commits`, content: commitsOf(db, of, file) }
  const keys = await listVerifierKeys(db, signer)
  yield { path: 'key.txt', content: keys.map(({ key }) => `${key}\n`) }
}

async function* endLines(lines: AsyncIterable<string>) {
  for await (const line of lines) yield `${line}\n`
}

async function* commitsOf(db: Db, of: LogOf, file: DataFile) {
  for await (const { commits } of readTiles(db, of, file)) yield commits
}

/** log/tile/ of a log of that size (C2SP tlog-tiles). */
async function* treeFiles(db: Db, of: LogOf, size: number): AsyncGenerator<BundleFile> {
  const full: Buffer[] = []
  for (let from = 0; from * tileWidth < size; from += tilesAtOnce) {
    for (const tile of await listJournalTiles(db, of, from, tilesAtOnce)) {
      const commits = tile.commits.subarray(0, (size - tile.idx * tileWidth) * hashLength)
      if (commits.length === tileWidth * hashLength) full.push(rootOf(leavesOf(commits)))
      for (const { path, content } of lowestTiles({ idx: tile.idx, commits }))
        yield { path: `log/${path}`, content: [content] }
    }
  }
  for (const { path, content } of upperTiles(full)) yield { path: `log/${path}`, content: [content] }
}
