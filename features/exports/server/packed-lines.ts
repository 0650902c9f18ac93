import { type BundleLine, linesOf } from '#features/log/server/bundle.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from './export-task.ts'
import { reachOfLines } from './reach-of-lines.ts'
import type { RecordData } from './record-data.ts'

/** The lines of a data file within reach. Of withheld ones nothing is known. */
export async function* packed(
  tx: Tx,
  { reach, eventUid, head }: ExportTask,
  data: RecordData,
  file: 'people' | 'texts' | 'journal',
): AsyncGenerator<BundleLine> {
  const of = { clientUid: reach.clientUid, eventUid }
  for await (const line of linesOf(tx, of, { file, size: head?.size ?? 0, isInReach: reachOfLines(data) }))
    if (!line.startsWith('{"withheld":')) yield JSON.parse(line)
}
