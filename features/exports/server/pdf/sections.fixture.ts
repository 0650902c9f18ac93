import type { ExportNames } from '#features/records/kinds.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { readRecord } from '../record-data.ts'
import { pagesOf } from './pdf-pages.ts'

/** What the PDF says for a reader of the whole organisation. */
export async function pagesFor(server: TestServer, eventUid: EventUid, names: ExportNames) {
  const { clientUid } = await server.db
    .selectFrom('event')
    .select('clientUid')
    .where('uid', '=', eventUid)
    .executeTakeFirstOrThrow()
  return server.db.transaction().execute(async (tx) => {
    const task: Parameters<typeof pagesOf>[1] = {
      connection: server.database.connection,
      eventUid,
      personUid: null as never,
      format: 'pdf',
      names,
      reach: { clientUid, siteUid: null, isSite: true, buildingUids: [], floorUids: [], seesPlanned: true },
      heads: null,
      head: null,
      key: { name: 'evac.example', keyId: '00000000', publicKey: '' },
      fontsDir: '',
      path: '',
    }
    return pagesOf(tx, task, await readRecord(tx, task))
  })
}

/** The same, section by section. */
export async function sectionsFor(...of: Parameters<typeof pagesFor>) {
  const { sections } = await pagesFor(...of)
  return new Map(sections.map(({ title, parts }) => [title, parts]))
}

/** The rows of the first table of a section. */
export const rowsIn = (sections: Awaited<ReturnType<typeof sectionsFor>>, title: string) =>
  sections.get(title)?.flatMap((part) => (part.kind === 'table' ? part.rows : [])) ?? []
