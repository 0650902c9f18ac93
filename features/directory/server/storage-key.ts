import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/**
 * The key of a file in the store: its code and a digest of its content, so that a changed file gets a new key. The key
 * that the document has stays if it ends in the same digest, as one of the console does.
 */
export async function storageKeyOf(code: string, path: string, before: string | null = null): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  const known = /-([0-9a-f]{16,64})\.[a-z0-9]+$/.exec(before ?? '')?.[1]
  if (before && known && digest.startsWith(known)) return before
  return `${code.replace(/[^A-Za-z0-9_-]/g, '_')}-${digest.slice(0, 16)}${extname(path).toLowerCase()}`
}
