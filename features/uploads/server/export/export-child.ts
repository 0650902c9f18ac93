import { documentFolder, exportTables } from '#features/directory/server/tables/export.service.ts'
import { openPool, type Tx } from '#server/platform/db/db.ts'
import { openDocumentStore } from '#server/platform/documents/open-document-store.ts'
import { workApart } from '#server/platform/process-apart/child-work.ts'
import { ZipWriter } from '#server/platform/process-apart/zip-writer.ts'
import { listReached } from '../download-tables.queries.ts'
import type { ExportTask } from './export-task.ts'

/** A process of its own, so that neither time nor memory of a large organisation is the server's. */
workApart<ExportTask>(async ({ connection, documents, grant, path }) => {
  const pool = openPool(connection, 'evac_system', 1)
  try {
    const zip = new ZipWriter(path)
    const exported = await pool.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const tx = trx as Tx
        const reached = await listReached(tx, grant)
        return exportTables(tx, grant.clientUid, { plans: grant.seesPlans, ...reached })
      })
    for (const { name, lines } of exported.files) await zip.add(name, lines())
    const store = await openDocumentStore(documents)
    for (const key of new Set(exported.documents)) {
      const file = await store.read(key)
      if (file) await zip.add(`${documentFolder}/${key}`, file.body, { isPacked: true })
    }
    await zip.end()
    return { done: true }
  } finally {
    await pool.close()
  }
})
