import type { Readable } from 'node:stream'

export interface StoredFile {
  body: Readable
  bytes: number
}

/** Where document files are stored, by key. A key always names the same content. */
export interface DocumentStore {
  /** Undefined if the file does not exist. */
  read(key: string): Promise<StoredFile | undefined>
  /** Stores a file under its key, atomically. An existing file is left unchanged. */
  keep(key: string, path: string): Promise<void>
  /** Throws if nothing can be stored. Leaves nothing behind. */
  check(): Promise<void>
  /** Removes a file for good. A missing one is no error. */
  remove(key: string): Promise<void>
}

/** The form of the keys that the importer makes. Never a path. */
export const isStorageKey = (key: string) => /^[\w-]+\.[a-z0-9]+$/i.test(key)
