import { hashLength, leafHash, piecesOf, rootOf, tileWidth } from './merkle.ts'

/** A file of the bundle. */
export interface TileFile {
  path: string
  content: Buffer
}

/** The entries of one tile of the lowest level: up to 256 commits. */
export interface Commits {
  idx: number
  commits: Buffer
}

/** C2SP tlog-tiles: 1234067 is x001/x234/067. A tile of fewer than 256 hashes names its width. */
export function tilePath(level: number | 'entries', idx: number, width: number): string {
  const digits = String(idx).padStart(Math.ceil(String(idx).length / 3) * 3, '0')
  const parts = digits.match(/\d{3}/g) ?? []
  const name = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/')
  return `tile/${level}/${name}${width < tileWidth ? `.p/${width}` : ''}`
}

/** The leaf hashes of a tile of the lowest level. */
export const leavesOf = (commits: Buffer): Buffer[] => piecesOf(commits).map(leafHash)

/** The tile of the lowest level, and the bundle of its entries: each with its length before it. */
export function lowestTiles({ idx, commits }: Commits): TileFile[] {
  const width = commits.length / hashLength
  const length = Buffer.from([0, hashLength])
  const entries = piecesOf(commits).flatMap((commit) => [length, commit])
  return [
    { path: tilePath(0, idx, width), content: Buffer.concat(leavesOf(commits)) },
    { path: tilePath('entries', idx, width), content: Buffer.concat(entries) },
  ]
}

/** The tiles above, from the hashes of the full tiles of the lowest level. */
export function upperTiles(fullTiles: readonly Buffer[]): TileFile[] {
  const files: TileFile[] = []
  let below = fullTiles
  for (let level = 1; below.length > 0; level++) {
    const tiles = groupsOf(below)
    files.push(
      ...tiles.map((hashes, idx) => ({ path: tilePath(level, idx, hashes.length), content: Buffer.concat(hashes) })),
    )
    below = tiles.filter(({ length }) => length === tileWidth).map(rootOf)
  }
  return files
}

const groupsOf = (hashes: readonly Buffer[]) =>
  Array.from({ length: Math.ceil(hashes.length / tileWidth) }, (_, at) =>
    hashes.slice(at * tileWidth, (at + 1) * tileWidth),
  )
