import { parentPort, workerData } from 'node:worker_threads'
import { type Connection, openPool } from '#server/platform/db/db.ts'
import { openDocumentStore } from '#server/platform/documents/open-document-store.ts'
import type { Working } from './upload-progress.ts'
import { workOnUploads } from './upload-work.service.ts'

export interface ThreadData {
  connection: Connection
  documents: Parameters<typeof openDocumentStore>[0]
  sends: Working['sends']
}
/** What it tells. */
export type ThreadMessage = 'announce' | { trouble: Error }

const { connection, documents, sends } = workerData as ThreadData
const tell = (message: ThreadMessage) => parentPort?.postMessage(message)
// one session that holds the locks, and what is noted and read beside it
const pool = openPool(connection, 'evac_system', 3)
try {
  await workOnUploads({
    system: pool.db,
    sends,
    documents: await openDocumentStore(documents),
    announce: () => tell('announce'),
    onTrouble: (trouble) => tell({ trouble: trouble as Error }),
    stopping: new AbortController().signal,
  })
} finally {
  await pool.close()
}
