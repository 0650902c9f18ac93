import { hash } from 'node:crypto'

/** Bytes of a SHA-256. */
export const hashLength = 32
/** Entries of a full tile (C2SP tlog-tiles). */
export const tileWidth = 256

export const sha256 = (data: Buffer | string): Buffer => hash('sha256', data, 'buffer')

const leafInput = Buffer.alloc(1 + hashLength)
const nodeInput = Buffer.alloc(1 + 2 * hashLength, 1)

/** RFC 6962: the hash of an entry. The entry is the commit of a line, 32 bytes. */
export function leafHash(commit: Buffer): Buffer {
  leafInput.set(commit, 1)
  return sha256(leafInput)
}

/** RFC 6962: the hash of two subtrees. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + hashLength)
  return sha256(nodeInput)
}

/** Grows by subtrees of falling height, and knows its root at any size. */
export class MerkleTree {
  readonly #subtrees: { hash: Buffer; height: number }[] = []

  /** Adds a full subtree of 2^height entries. No smaller one may have been added before it. */
  add(hash: Buffer, height = 0): void {
    let grown = { hash, height }
    for (let last = this.#subtrees.at(-1); last?.height === grown.height; last = this.#subtrees.at(-1)) {
      this.#subtrees.pop()
      grown = { hash: nodeHash(last.hash, grown.hash), height: grown.height + 1 }
    }
    this.#subtrees.push(grown)
  }

  /** RFC 6962: MTH of all entries. Of none: the hash of nothing. */
  root(): Buffer {
    const hashes = this.#subtrees.map(({ hash }) => hash)
    return hashes.length === 0 ? sha256('') : hashes.reduceRight((right, left) => nodeHash(left, right))
  }
}

/** The root of subtrees of one height, as the hashes of a tile are. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  const tree = new MerkleTree()
  for (const hash of hashes) tree.add(hash)
  return tree.root()
}

/** RFC 6962: the hashes that lead from a leaf to the root of all, the nearest first. */
export function proofOf(leaves: readonly Buffer[], index: number): Buffer[] {
  if (leaves.length <= 1) return []
  const left = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return index < left
    ? [...proofOf(leaves.slice(0, left), index), rootOf(leaves.slice(left))]
    : [...proofOf(leaves.slice(left), index - left), rootOf(leaves.slice(0, left))]
}

/** RFC 6962: the hashes that show that the first `size` leaves are the beginning of all. None for all of them, or for none. */
export function consistencyOf(leaves: readonly Buffer[], size: number): Buffer[] {
  const prove = (all: readonly Buffer[], first: number, isRoot: boolean): Buffer[] => {
    if (first === all.length) return isRoot ? [] : [rootOf(all)]
    const left = 2 ** Math.floor(Math.log2(all.length - 1))
    return first <= left
      ? [...prove(all.slice(0, left), first, isRoot), rootOf(all.slice(left))]
      : [...prove(all.slice(left), first - left, false), rootOf(all.slice(0, left))]
  }
  return size === 0 ? [] : prove(leaves, size, true)
}

/** The 32-byte pieces of the buffer. */
export const piecesOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / hashLength }, (_, at) => bytes.subarray(at * hashLength, (at + 1) * hashLength))
