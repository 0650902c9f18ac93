import { sinceWords } from '#features/records/figures.ts'
import { readTimeline } from '#features/records/server/timeline.service.ts'
import { timesOf } from '#features/records/times.ts'
import { markWords } from '#features/records/words.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { type Section, table, text } from './pdf-parts.ts'

/** The key moments. Undefined: they are more than so many. Without names there is no timeline, because it names people. */
export async function timelinePart(
  tx: Tx,
  { reach, eventUid, names }: ExportTask,
  { record, isWhole }: RecordData,
  most: number,
): Promise<Section[] | undefined> {
  const title = 'Timeline: key moments'
  if (names === 'none') return [{ title, parts: [text('Left out: this copy was made without names.')] }]
  const times = timesOf(record)
  const rows: string[][] = []
  for await (const entry of readTimeline(tx, reach, { eventUid, isWhole, show: 'moments' })) {
    if (rows.length >= most) return undefined
    const late =
      entry.late === null || entry.seen_at === null ? [] : [`seen ${times.short(entry.seen_at)}, ${entry.late} s late`]
    const notes = [...late, ...(entry.overruled ? ['overruled'] : []), ...(entry.phone ? [entry.phone] : [])]
    const who = entry.who ? `${entry.who}${entry.role ? ` (${entry.role})` : ''}` : (entry.role ?? '–')
    const when = [times.short(entry.recorded_at), sinceWords(record, entry.recorded_at)].filter(Boolean).join('\n')
    const what = entry.mark ? `${markWords[entry.mark]}: ${entry.what}` : entry.what
    rows.push([when, what, who, notes.join('; ') || '–'])
  }
  return [{ title, parts: [table(['Time', 'What', 'Who', 'Notes'], ['auto', '3', '2', '2'], rows)] }]
}
