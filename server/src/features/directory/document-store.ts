import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** Name of a file in the store: who it is and what is in it, so that a changed file is another one. */
export async function storageKeyOf(code: string, path: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  return `${code.replace(/[^A-Za-z0-9_-]/g, '_')}-${digest.slice(0, 16)}${extname(path).toLowerCase()}`
}

/** Copies a file in under its key, whole or not at all. */
export async function storeFile(documentsDir: string, key: string, path: string): Promise<void> {
  const target = join(documentsDir, key)
  if (await stat(target).catch(() => undefined)) return
  await mkdir(documentsDir, { recursive: true })
  const unfinished = `${target}.${process.pid}.new`
  await copyFile(path, unfinished)
  await rename(unfinished, target)
}
