import { type BundleLine, linesOf } from '#features/log/server/bundle.service.ts'
import { readWords } from '#features/log/server/names/names-kept.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from './export-task.ts'
import { reachOfLines } from './reach-of-lines.ts'
import type { RecordData } from './record-data.ts'

/** The lines of a data file within reach. Of withheld ones nothing is known. */
export async function* packed(
  tx: Tx,
  { reach, eventUid, head }: ExportTask,
  data: RecordData,
  file: 'people' | 'ends' | 'texts' | 'journal',
): AsyncGenerator<BundleLine> {
  const of = { clientUid: reach.clientUid, eventUid }
  for await (const line of linesOf(tx, of, { file, size: head?.size ?? 0, isInReach: reachOfLines(data) }))
    if (!line.startsWith('{"withheld":')) yield JSON.parse(line)
}

/**
 * Everyone who was to be accounted for, with how it ended for them: the words of places are those of the event. In a log of
 * version 1 a line of people has all of it.
 */
export async function* packedPeople(tx: Tx, task: ExportTask, data: RecordData): AsyncGenerator<BundleLine> {
  const words = await readWords(tx, { clientUid: task.reach.clientUid, eventUid: task.eventUid })
  const ends = new Map<unknown, BundleLine>()
  for await (const end of packed(tx, task, data, 'ends')) ends.set(end.evacuee, end)
  for await (const line of packed(tx, task, data, 'people')) {
    if (line.kind !== 'evacuee') continue
    const { building, floor, ...end } = { ...line, ...ends.get(line.evacuee) }
    const place = {
      building_name: words.building(String(building))?.name ?? line.building_name ?? null,
      floor_name: floor === null ? null : (words.floor(String(floor))?.name ?? line.floor_name ?? null),
    }
    if (isCounted(end, data.record))
      yield { ...end, building: building ?? null, floor: floor ?? null, removed_at: end.removed_at ?? null, ...place }
  }
}

/**
 * Someone in the counts of the record: there at the end, or gone with a building in the part that counts. Others took part as
 * wardens. Lines of older records do not say who left how, and stand as they did.
 */
function isCounted(
  { removed_at, left_with }: Partial<BundleLine>,
  { live_from }: Pick<RecordData['record'], 'live_from'>,
) {
  if (typeof removed_at !== 'string' || left_with === undefined) return true
  return left_with !== null && (live_from === null || Date.parse(removed_at) >= Date.parse(live_from))
}
