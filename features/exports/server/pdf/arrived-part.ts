import { timesOf } from '#features/records/times.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { count, type Section, table, text } from './pdf-parts.ts'

/** What phones could not send before the end. The timeline names whom it is about. */
export function arrivedPart({ names }: ExportTask, { record, arrived: { all, shown } }: RecordData): Section[] {
  if (all === 0) return []
  const times = timesOf(record)
  const by = (name: string | null, role: string | null) =>
    name === null || names === 'none' ? (role ?? '–') : `${name}${role ? ` (${role})` : ''}`
  const rows = shown.map(({ about, what, by: name, role, seen_at, arrived_at }) => [
    ...[about, what, by(name, role), seen_at ? times.short(seen_at) : '–', times.short(arrived_at)],
  ])
  return [
    {
      title: 'Arrived after the end',
      parts: [
        text(
          `${count(all)} ${all === 1 ? 'record from a phone' : 'records from phones'}. No status or figure changed.`,
        ),
        ...(rows.length > 0
          ? [table(['About', 'What', 'By', 'Seen', 'Arrived'], ['2', '1.4', '1.8', '1.2', '1.2'], rows)]
          : []),
        ...(rows.length > 0 && rows.length < all ? [text(`${count(rows.length)} of them are shown.`)] : []),
      ],
    },
  ]
}
