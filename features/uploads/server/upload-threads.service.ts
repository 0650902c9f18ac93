import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Db } from '#server/platform/db/db.ts'
import type { ThreadData, ThreadMessage } from './upload-thread.ts'
import * as queries from './uploads.queries.ts'

interface Threads extends ThreadData {
  system: Db
  announce: () => void
  onTrouble: (error: unknown) => void
}

/**
 * Works on uploads that are due in a thread of their own: planning 200,000 rows takes two seconds in one go, in which this
 * process answers. On abort the thread ends at once, as if it were killed, and the next worker goes on.
 */
export async function workInThread(
  { system, announce, onTrouble, connection, documents, sends }: Threads,
  stopping: AbortSignal,
): Promise<void> {
  if (stopping.aborted || (await queries.listDue(system)).length === 0) return
  const workerData: ThreadData = { connection, documents, sends }
  const thread = new Worker(new URL('./upload-thread.ts', import.meta.url), { workerData })
  const end = () => void thread.terminate()
  stopping.addEventListener('abort', end)
  thread.on('message', (message: ThreadMessage) => (message === 'announce' ? announce() : onTrouble(message.trouble)))
  thread.on('error', onTrouble)
  await once(thread, 'exit').finally(() => stopping.removeEventListener('abort', end))
}
