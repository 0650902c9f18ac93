import { openPool } from '#server/platform/db/db.ts'
import { workApart } from '#server/platform/process-apart/child-work.ts'
import { type ExportTask, NotSealed, TooLarge } from './export-task.ts'
import { makeExport } from './make-export.ts'

/** A process of its own, so that neither time nor memory of a large file is the server's. */
workApart<ExportTask>(async (task, onProgress) => {
  const pool = openPool(task.connection, 'evac_system', 2)
  try {
    await makeExport(pool.db, task, onProgress)
    return { done: true }
  } catch (error) {
    if (error instanceof TooLarge) return { refused: error.message }
    if (error instanceof NotSealed) return { waits: true }
    throw error
  } finally {
    await pool.close()
  }
})
