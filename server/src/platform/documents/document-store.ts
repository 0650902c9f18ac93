import type { Readable } from 'node:stream'

export interface StoredFile {
  body: Readable
  bytes: number
}

/** Where files of documents are kept, by key (AMB-071). A key names one content for ever. */
export interface DocumentStore {
  /** Undefined when there is no such file. */
  read(key: string): Promise<StoredFile | undefined>
  /** Takes a file in under its key, whole or not at all; what is there already stays. */
  keep(key: string, path: string): Promise<void>
}

/** What the importer makes: never a path. */
export const isStorageKey = (key: string) => /^[\w-]+\.[a-z0-9]+$/i.test(key)
