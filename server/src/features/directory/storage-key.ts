import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/** Name of a file in the store: who it is and what is in it, so that a changed file is another one. */
export async function storageKeyOf(code: string, path: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  return `${code.replace(/[^A-Za-z0-9_-]/g, '_')}-${digest.slice(0, 16)}${extname(path).toLowerCase()}`
}
