import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export interface StoredFile {
  body: Readable
  bytes: number
}

/** Where files of documents are kept, by key. A bucket can take the folder's place. */
export interface DocumentStore {
  /** Undefined when there is no such file. */
  read(key: string): Promise<StoredFile | undefined>
}

/** What the importer makes: never a path. */
const isKey = (key: string) => /^[\w-]+\.[a-z0-9]+$/i.test(key)

export function folderStore(folder: string): DocumentStore {
  return {
    async read(key) {
      const file = isKey(key) && (await open(join(folder, key)).catch(orMissing))
      if (!file) return undefined
      const { size } = await file.stat()
      return { body: file.createReadStream(), bytes: size }
    },
  }
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
