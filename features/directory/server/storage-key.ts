import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/** The key of a file in the store: its code and a digest of its content, so that a changed file gets a new key. */
export async function storageKeyOf(code: string, path: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  return `${code.replace(/[^A-Za-z0-9_-]/g, '_')}-${digest.slice(0, 16)}${extname(path).toLowerCase()}`
}
