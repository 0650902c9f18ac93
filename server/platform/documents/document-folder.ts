import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DocumentStore, isStorageKey } from './document-store.ts'

/** Document files in the folder `documents` of the data folder. */
export function folderStore(dataDir: string): DocumentStore {
  const folder = join(dataDir, 'documents')
  return {
    async read(key) {
      const file = isStorageKey(key) && (await open(join(folder, key)).catch(orMissing))
      if (!file) return undefined
      const { size } = await file.stat()
      return { body: file.createReadStream(), bytes: size }
    },

    async keep(key, path) {
      if (!isStorageKey(key)) throw new Error(`${key} is not a document key`)
      const target = join(folder, key)
      if (await stat(target).catch(orMissing)) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = `${target}.${process.pid}.new`
      await copyFile(path, unfinished)
      await rename(unfinished, target)
    },

    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `.check-${randomUUID()}`)
      await writeFile(file, '')
      await rm(file)
    },

    async remove(key) {
      if (isStorageKey(key)) await rm(join(folder, key), { force: true })
    },
  }
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
