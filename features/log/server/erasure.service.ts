import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { DataFile } from './data-files.queries.ts'
import * as queries from './erasure.queries.ts'
import { withheldLine } from './log-line.ts'
import { piecesOf } from './merkle.ts'
import type { LogOf } from './sealing.queries.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Which files go with which kind of retention. */
const filesOf: Record<'messages' | 'events', readonly DataFile[]> = {
  messages: ['texts', 'messages'],
  events: ['people', 'texts', 'messages'],
}

/** Deletes the packed lines of an event. Commits stay, so the log stays whole. */
export const eraseLines = (tx: Tx, of: LogOf, kind: keyof typeof filesOf): Promise<void> =>
  queries.dropLines(tx, of, filesOf[kind])

/** Tiles read at one time. */
const tilesAtOnce = 64

/**
 * Withholds each packed line that names the person, by uid or by a text that the pattern finds, in all records of
 * the organisation.
 */
export async function erasePersonLines(
  tx: Tx,
  { clientUid, uid, pattern }: { clientUid: ClientUid; uid: PersonUid; pattern: string },
): Promise<void> {
  await queries.lockErasing(tx, clientUid)
  const names = new RegExp(pattern, 'i')
  const isNaming = (text: string) => text.includes(uid) || names.test(text)
  let last: queries.PackedLines | undefined
  do {
    const tiles = await queries.listPacked(tx, clientUid, last, tilesAtOnce)
    for (const tile of tiles) {
      const text = (await expand(tile.lines)).toString()
      if (isNaming(text)) await queries.saveLines(tx, tile, await compress(withhold(text, tile.commits, isNaming)))
    }
    last = tiles.at(-1)
  } while (last)
}

function withhold(text: string, commits: Buffer, isNaming: (line: string) => boolean): string {
  const pieces = piecesOf(commits)
  const lines = text.split('\n')
  return lines.map((line, at) => (isNaming(line) ? withheldLine('retention', pieces[at] as Buffer) : line)).join('\n')
}

/** Throws if the organisation has erased someone since then: what was packed may name them. */
export async function refuseErased(tx: Tx, clientUid: ClientUid, since: Date): Promise<void> {
  await queries.lockErasing(tx, clientUid)
  if (await queries.hasErasedSince(tx, clientUid, since)) throw new Error('Someone was erased meanwhile: pack again.')
}

/** Forgets the secrets of events whose journal is gone. Run after rows of the journal were deleted. */
export const forgetSecrets = queries.dropSecrets
