import { promisify } from 'node:util'
import { gunzip, zstdCompress, zstdDecompress } from 'node:zlib'

const compress = promisify(zstdCompress)
const expand = promisify(zstdDecompress)
const expandOld = promisify(gunzip)
const isGzip = (packed: Buffer) => packed[0] === 0x1f && packed[1] === 0x8b

/** Lines as a tile keeps them, with Zstandard. */
export const packLines = (lines: readonly string[]): Promise<Buffer> => compress(lines.join('\n'))

/** The lines of a tile. None if they are erased. The version before packed them with gzip. */
export async function unpackLines(packed: Buffer | null): Promise<string[]> {
  if (packed === null) return []
  const text = (await (isGzip(packed) ? expandOld(packed) : expand(packed))).toString()
  return text === '' ? [] : text.split('\n')
}
