import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { sha256 } from '../merkle.ts'

/** Where the n-th head of this key is, as this history of the database has signed it. A copy of the database meets none of them. */
export const nameOf = ({ keyId, epoch, n }: { keyId: string; epoch: string; n: number }): string =>
  `head-${keyId}-${sha256(epoch).toString('hex').slice(0, 16)}-${n}.txt`

/** The note that is kept under the name. Undefined: none is. */
export async function readNote(documents: DocumentStore, name: string): Promise<string | undefined> {
  const found = await documents.read(name)
  return found && text(found.body)
}

/**
 * Keeps the note unless another one is kept under the name, and reads back which it is: of nodes that sign at once, and after one
 * that was killed, the first note stands. Throws if the store is full, away, or gives nothing back.
 */
export async function keepNote(documents: DocumentStore, name: string, note: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evac-head-'))
  try {
    const path = join(folder, name)
    await writeFile(path, note)
    await documents.keep(name, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const kept = await readNote(documents, name)
  if (kept === undefined) throw new Error(`The file store did not keep ${name}.`)
  return kept
}
