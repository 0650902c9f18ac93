import { writeFile } from 'node:fs/promises'
import { isAllSigned } from '#features/log/server/heads.service.ts'
import type { Db } from '#server/platform/db/db.ts'
import { ZipWriter } from '#server/platform/process-apart/zip-writer.ts'
import { writeBundle } from './bundle/write-bundle.ts'
import { csvFiles } from './csv-files.ts'
import { type ExportTask, NotSealed } from './export-task.ts'
import { makePdf } from './pdf/make-pdf.ts'
import { readRecord } from './record-data.ts'

/**
 * Writes the file of the task. All of it is of one moment of the database. A bundle is of a moment in which the newest head
 * covers the whole log: otherwise its data files would stand without the entry that closes them.
 */
export async function makeExport(system: Db, task: ExportTask, onProgress: (percent: number) => void): Promise<void> {
  onProgress(5)
  await system
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      if (task.format === 'bundle' && !(await isAllSigned(tx, { ...task.reach, eventUid: task.eventUid })))
        throw new NotSealed()
      const data = await readRecord(tx, task)
      onProgress(20)
      if (task.format === 'pdf') await writeFile(task.path, await makePdf(tx, task, data, onProgress))
      else if (task.format === 'csv') {
        const zip = new ZipWriter(task.path)
        for (const { path, content } of csvFiles(tx, task, data)) await zip.add(path, content)
        await zip.end()
      } else await writeBundle(tx, task, data, onProgress)
    })
  onProgress(95)
}
