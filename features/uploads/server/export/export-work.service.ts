import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection, Db } from '#server/platform/db/db.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { makeInProcess } from '#server/platform/process-apart/make-in-process.ts'
import { findGrant } from '../download-tables.queries.ts'
import * as queries from './directory-export.queries.ts'
import { type ExportTask, exportProgram, storageKeyOf } from './export-task.ts'

interface Making {
  system: Db
  connection: Connection
  store: DocumentStore
  /** Where the process apart finds the files of documents. */
  documents: ExportTask['documents']
}

/** Makes the archives that were asked for, one at a time. Trouble with one does not stop the others. */
export async function makeDueArchives(
  making: Making,
  onTrouble: (error: unknown) => void,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const due = await queries.claimExport(making.system)
    if (!due) return
    await make(making, due, stopping).catch(async (error: unknown) => {
      await queries.noteFailed(making.system, due, null)
      onTrouble(error)
    })
  }
}

async function make(
  { system, connection, store, documents }: Making,
  due: queries.DirectoryExport,
  stopping: AbortSignal,
): Promise<void> {
  const grant = await findGrant(system, due.administratorUid)
  if (!grant) return queries.noteFailed(system, due, 'The person who asked for this is no longer an administrator.')
  const folder = await mkdtemp(join(tmpdir(), 'evac-archive-'))
  try {
    const path = join(folder, 'archive')
    // as far as it reached when it was asked for: the link compares it with the grant
    const task: ExportTask = {
      connection,
      documents,
      grant: { ...grant, reach: due.reach, seesPlans: due.plans },
      path,
    }
    const outcome = await makeInProcess(exportProgram, task, () => undefined, stopping)
    if (!outcome.isDone) return await queries.noteFailed(system, due, outcome.refused)
    const key = storageKeyOf(due.uid)
    // a killed worker may have left another archive of this export
    await store.remove(key)
    await store.keep(key, path)
    await queries.noteReady(system, due)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An archive lasts for an hour. */
export async function dropExpiredArchives(system: Db, store: DocumentStore): Promise<void> {
  for (const expired of await queries.listExpired(system)) {
    await store.remove(storageKeyOf(expired.uid))
    await queries.deleteExport(system, expired)
  }
}
