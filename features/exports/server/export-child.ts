import { openPool } from '#server/platform/db/db.ts'
import { type ExportMessage, type ExportTask, NotSealed, TooLarge } from './export-task.ts'
import { makeExport } from './make-export.ts'

/** A process of its own, so that neither time nor memory of a large file is the server's. */
const tell = (message: ExportMessage) =>
  new Promise<void>((resolve) => void process.send?.(message, undefined, undefined, () => resolve()))

process.once('message', (task: ExportTask) => {
  void work(task).finally(() => process.disconnect())
})
// the parent is gone
process.once('disconnect', () => process.exit())

async function work(task: ExportTask): Promise<void> {
  const pool = openPool(task.connection, 'evac_system', 2)
  try {
    await makeExport(pool.db, task, (progress) => void tell({ progress }))
    await tell({ done: true })
  } catch (error) {
    if (error instanceof TooLarge) await tell({ refused: error.message })
    else if (error instanceof NotSealed) await tell({ waits: true })
    else throw error
  } finally {
    await pool.close()
  }
}
