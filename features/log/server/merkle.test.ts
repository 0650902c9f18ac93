import { expect, test } from 'vitest'
import { leafHash, MerkleTree, nodeHash, piecesOf, rootOf, sha256, tileWidth } from './merkle.ts'
import { lowestTiles, type TileFile, tilePath, upperTiles } from './tiles.ts'

/** The leaves and roots by which logs of certificates test their trees (RFC 6962). */
const vectors = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  ['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
] as const

test('LOG-03 the tree has the roots that RFC 6962 gives', () => {
  const tree = new MerkleTree()
  expect(tree.root().toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  for (const [leaf, root] of vectors) {
    tree.add(sha256(Buffer.from(`00${leaf}`, 'hex')))
    expect(tree.root().toString('hex')).toBe(root)
  }
})

/** Splits as RFC 6962 does: at the largest power of two below the count. */
const splitOf = (count: number) => 2 ** (31 - Math.clz32(count - 1))

/** RFC 6962, 2.1, as it is written there. */
function mth(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer
  const split = splitOf(leaves.length)
  return nodeHash(mth(leaves.slice(0, split)), mth(leaves.slice(split)))
}

/** RFC 6962, 2.1.1: the hashes that lead from a leaf to the root. */
function pathOf(at: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return at < split ? [...pathOf(at, left), mth(right)] : [...pathOf(at - split, right), mth(left)]
}

/** RFC 9162, 2.1.3.2. */
function rootByPath({ at, size, leaf, path }: { at: number; size: number; leaf: Buffer; path: readonly Buffer[] }) {
  let [fn, sn, hash] = [at, size - 1, leaf]
  for (const next of path) {
    const isRight = fn % 2 === 1 || fn === sn
    hash = isRight ? nodeHash(next, hash) : nodeHash(hash, next)
    while (isRight && fn % 2 === 0 && fn > 0) [fn, sn] = [fn >> 1, sn >> 1]
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  return hash
}

/** RFC 6962, 2.1.2. */
function consistency(before: number, leaves: readonly Buffer[], isWhole = true): Buffer[] {
  if (before === leaves.length) return isWhole ? [] : [mth(leaves)]
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  if (before <= split) return [...consistency(before, left, isWhole), mth(right)]
  return [...consistency(before - split, right, false), mth(left)]
}

/** RFC 9162, 2.1.4.2: the two roots that a consistency proof leads to. */
function rootsByProof(before: number, size: number, root: Buffer, proof: readonly Buffer[]) {
  const [first, ...rest] = Number.isInteger(Math.log2(before)) ? [root, ...proof] : proof
  let [fn, sn] = [before - 1, size - 1]
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1]
  let [old, now] = [first as Buffer, first as Buffer]
  for (const next of rest) {
    if (fn % 2 === 1 || fn === sn) {
      ;[old, now] = [nodeHash(next, old), nodeHash(next, now)]
      while (fn % 2 === 0 && fn > 0) [fn, sn] = [fn >> 1, sn >> 1]
    } else now = nodeHash(now, next)
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  return [old, now]
}

const commits = Array.from({ length: 1_000 }, (_, at) => sha256(`line ${at}`))
const leaves = commits.map(leafHash)
const sample = (below: number, seed: number) => [0, below - 1, (seed * 7919) % below, (seed * 104_729) % below]

test('LOG-03 at each size from 1 to 1,000 the root is the one of RFC 6962, and proofs of entries and of earlier sizes lead to it', () => {
  const tree = new MerkleTree()
  const roots = [tree.root()]
  for (let size = 1; size <= leaves.length; size++) {
    tree.add(leaves[size - 1] as Buffer)
    roots.push(tree.root())
    const present = leaves.slice(0, size)
    expect(tree.root()).toEqual(mth(present))
    if (size % 9 > 1) continue // proofs at two of nine sizes
    for (const at of sample(size, size)) {
      const path = pathOf(at, present)
      expect(rootByPath({ at, size, leaf: present[at] as Buffer, path })).toEqual(tree.root())
    }
    for (const before of sample(size, size)
      .map((one) => one + 1)
      .filter((one) => one < size)) {
      const proof = consistency(before, present)
      expect(rootsByProof(before, size, mth(present.slice(0, before)), proof)).toEqual([roots[before], tree.root()])
    }
  }
})

/** The tiles of so many entries, as the bundle brings them. */
function tilesOf(size: number): TileFile[] {
  const tiles = Array.from({ length: Math.ceil(size / tileWidth) }, (_, idx) =>
    commits.slice(idx * tileWidth, Math.min(size, (idx + 1) * tileWidth)),
  )
  const full = tiles.filter(({ length }) => length === tileWidth).map((members) => rootOf(members.map(leafHash)))
  const lowest = tiles.flatMap((members, idx) => lowestTiles({ idx, commits: Buffer.concat(members) }))
  return [...lowest, ...upperTiles(full)]
}

test('LOG-03 tiles have the names and widths of C2SP tlog-tiles, and no empty one', () => {
  expect(tilePath(0, 1_234_067, 256)).toBe('tile/0/x001/x234/067')
  expect(tilePath('entries', 0, 3)).toBe('tile/entries/000.p/3')
  const pathsAt = (size: number) => tilesOf(size).map(({ path }) => path)
  expect(pathsAt(1)).toEqual(['tile/0/000.p/1', 'tile/entries/000.p/1'])
  expect(pathsAt(256)).toEqual(['tile/0/000', 'tile/entries/000', 'tile/1/000.p/1'])
  expect(pathsAt(600).slice(-3)).toEqual(['tile/0/002.p/88', 'tile/entries/002.p/88', 'tile/1/000.p/2'])
  // 70,000 entries: the example of the specification
  const full = Array.from({ length: 273 }, () => leaves[0] as Buffer)
  expect(upperTiles(full).map(({ path }) => path)).toEqual(['tile/1/000', 'tile/1/001.p/17', 'tile/2/000.p/1'])
})

test('LOG-03 a tile holds the leaf hashes, its entries the commits, and the tile above the hash of the full one', () => {
  const files = new Map(tilesOf(300).map(({ path, content }) => [path, content]))
  expect(piecesOf(files.get('tile/0/000') as Buffer)).toEqual(leaves.slice(0, 256))
  expect(files.get('tile/entries/001.p/44')?.subarray(34, 68)).toEqual(
    Buffer.concat([Buffer.from([0, 32]), commits[257] as Buffer]),
  )
  expect(files.get('tile/1/000.p/1')).toEqual(mth(leaves.slice(0, 256)))
})
