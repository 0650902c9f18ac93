import { folderStore } from '#server/platform/documents/document-folder.ts'
import type { asAdministrator } from '#server/testing/administrators.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { exportTables, getTablesExport } from '../../calls.ts'
import { makeDueArchives } from './export-work.service.ts'

/** Exports of a server whose documents lie in this folder, made when a test says so. */
export function archivesOf({ database, app }: TestServer, dataDir: string) {
  const { system, connection } = database
  const troubles: unknown[] = []
  /** What one worker does. */
  const work = () =>
    makeDueArchives(
      {
        system: system.db,
        connection,
        store: folderStore(dataDir),
        documents: { dataDir, documentsBucket: undefined },
      },
      (trouble) => troubles.push(trouble),
      new AbortController().signal,
    )
  /** Asks, lets a worker make it, and reads how far it is. */
  const ask = async (call: Awaited<ReturnType<typeof asAdministrator>>) => {
    const { uid } = await call(exportTables, {})
    const look = () => call(getTablesExport, { params: { uid } })
    const before = await look()
    await work()
    return { uid, look, before, link: String((await look()).link) }
  }
  const open = (link: string) => app.inject({ url: link.replace(/^http:..[^/]*/, '') })
  return { work, ask, open, troubles }
}
