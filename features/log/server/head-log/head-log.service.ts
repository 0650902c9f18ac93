import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { leafHash, MerkleTree, proofOf, rootOf, sha256, tileWidth } from '../merkle.ts'
import { isSignedBy, type Signer } from '../signed-note.ts'
import * as queries from './head-log.queries.ts'
import { keepNote, nameOf, readNote } from './kept-notes.ts'

/** What signs heads, and keeps them where the database's owner is not. */
export interface Signing {
  system: Db
  signer: Signer
  documents: DocumentStore
}

/** The line behind the root of a head: of which organisation and serial the log is. */
const extensionOf = ({ clientUid, serial }: { clientUid: string; serial: number | null }) =>
  `log 2 ${clientUid} ${serial ?? '-'}`

/** The text of a head (C2SP tlog-checkpoint). */
export const headText = (
  host: string,
  head: { clientUid: string; eventUid: string; serial: number | null; size: number; root: Buffer },
): string => `${host}/record/${head.eventUid}\n${head.size}\n${head.root.toString('base64')}\n${extensionOf(head)}\n`

/** Reads a kept note. Throws if this server has not signed it. */
function readHead(note: string, signer: Signer, at: { n: number; epoch: string }): queries.KeptHead {
  const [origin = '', size = '', root = '', extension = ''] = note.split('\n')
  const match = /^log 2 ([0-9a-f-]{36}) (\d+|-)$/.exec(extension)
  const prefix = `${signer.name}/record/`
  if (!match || !origin.startsWith(prefix) || !isSignedBy(signer, note))
    throw new Error(`The file store has something else as head ${at.n}.`)
  return {
    ...at,
    clientUid: match[1] as ClientUid,
    eventUid: origin.slice(prefix.length) as EventUid,
    serial: match[2] === '-' ? null : Number(match[2]),
    size: Number(size),
    root: Buffer.from(root, 'base64'),
    note,
  }
}

const add = ({ system }: Signing, head: queries.KeptHead) =>
  system.transaction().execute((tx) => queries.addHead(tx, { ...head, hash: sha256(head.note) }))

/**
 * Takes heads from the file store that the log of heads lacks, to the first missing number: of a node that was killed between
 * keeping and saving, of rows that were deleted, and of the history before a restore.
 */
export async function takeKept(signing: Signing, epoch: string): Promise<void> {
  const { system, signer, documents } = signing
  const before = (await queries.findLastEpoch(system)) ?? epoch
  for (const from of new Set([before, epoch]))
    for (;;) {
      const n = (await queries.findLastNumber(system)) + 1
      const note = await readNote(documents, nameOf({ keyId: signer.keyId, epoch: from, n }))
      if (note === undefined) break
      await add(signing, readHead(note, signer, { n, epoch: from }))
    }
}

/**
 * Keeps the head as the next one of the log of heads: in the file store, read back, then in the database. Returns false if another
 * head had the number, which is then taken instead.
 */
export async function keepHead(signing: Signing, head: Omit<queries.KeptHead, 'n'>): Promise<boolean> {
  const { system, signer, documents } = signing
  const at = { n: (await queries.findLastNumber(system)) + 1, epoch: head.epoch }
  const kept = await keepNote(documents, nameOf({ keyId: signer.keyId, ...at }), head.note)
  await add(signing, readHead(kept, signer, at))
  return kept === head.note
}

const headsOrigin = (host: string) => `${host}/heads`

/** The newest checkpoint of the log of heads, or that of a size. Undefined: there is no head yet. */
export async function signHeads(
  { system, signer }: Pick<Signing, 'system' | 'signer'>,
  size?: number,
): Promise<{ size: number; note: string } | undefined> {
  const found = size ?? (await queries.findLastNumber(system))
  if (found === 0) return undefined
  const root = (await readTree(system, found)).root()
  const text = `${headsOrigin(signer.name)}\n${found}\n${root.toString('base64')}\n`
  return { size: found, note: signer.sign(text) }
}

/** Roots of full tiles by the digests of their hashes: of 100,000 heads those that are new are read and hashed. */
const tileRoots = new Map<string, Buffer>()

/** The tree of the first `size` heads, as the database has them now. */
async function readTree(db: Db, size: number): Promise<MerkleTree> {
  const tree = new MerkleTree()
  const roots = (await queries.listTileDigests(db, size)).map((digest) => tileRoots.get(digest))
  const known = roots.slice(0, [...roots, undefined].indexOf(undefined)) as Buffer[]
  for (const root of known) tree.add(root, 8)
  const hashes = await queries.listHashes(db, size, known.length * tileWidth)
  for (let at = 0; at < hashes.length; at += tileWidth) {
    const tile = hashes.slice(at, at + tileWidth)
    const leaves = tile.map(leafHash)
    if (tile.length < tileWidth) for (const leaf of leaves) tree.add(leaf)
    else {
      const root = rootOf(leaves)
      tileRoots.set(sha256(Buffer.concat(tile)).toString('hex'), root)
      tree.add(root, 8)
    }
  }
  return tree
}

/** C2SP tlog-proof: that the n-th head is in the log of heads with this checkpoint. */
export async function proveHead(db: Db, n: number, { size, note }: { size: number; note: string }): Promise<string> {
  const leaves = (await queries.listHashes(db, size)).map(leafHash)
  const hashes = proofOf(leaves, n - 1).map((hash) => hash.toString('base64'))
  return ['c2sp.org/tlog-proof@v1', `index ${n - 1}`, ...hashes, '', note].join('\n')
}
