import type { BundleLine } from '#features/log/server/bundle.service.ts'
import { readTimeline } from '#features/records/server/timeline.service.ts'
import { csvLine } from '#server/platform/csv.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from './export-task.ts'
import { offsetTimes } from './export-times.ts'
import { packed } from './packed-lines.ts'
import type { RecordData } from './record-data.ts'
import { readWardens } from './warden-lines.ts'

interface CsvFile {
  path: string
  content: AsyncGenerator<string>
}
type Cell = string | number | boolean | null | undefined
type Rows = AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>

/**
 * Floors, people, wardens, texts, timeline and entries, as RFC 4180 in UTF-8 with a mark. Times are ISO 8601 with
 * the offset of the site. People and texts are as they were when the record was closed.
 */
export function csvFiles(tx: Tx, task: ExportTask, data: RecordData): CsvFile[] {
  const { record, additions, isWhole } = data
  const time = offsetTimes(record.timezone)
  const { names } = task
  const after = (seconds: number | null) =>
    seconds === null ? null : time(new Date(Date.parse(record.started_at) + seconds * 1000).toISOString())
  /** 'needed': of people who were not accounted for, in danger, or refused. */
  const nameOf = ({ name, status, refused }: BundleLine) => {
    const isNeeded = names === 'all' || (names === 'needed' && (status !== 'safe' || refused === true))
    return isNeeded ? String(name) : null
  }
  const file = (path: string, head: readonly string[], rows: Rows): CsvFile => ({ path, content: csvOf(head, rows) })
  return [
    file(
      'floors.csv',
      [
        'building',
        'floor',
        'status',
        'first_clear',
        'clear',
        'reopened',
        'order',
        'safe',
        'unknown',
        'danger',
        'refused',
        'wardens',
      ],
      record.floors.rows.map((floor) => [
        ...[
          floor.building_name,
          floor.name,
          floor.status,
          after(floor.first_clear),
          after(floor.clear),
          floor.reopened,
        ],
        ...[floor.order, floor.people.safe, floor.people.unknown, floor.people.danger, floor.refusals, floor.wardens],
      ]),
    ),
    file(
      'people.csv',
      ['name', 'building', 'floor', 'status', 'status_at', 'seen_at', 'refused', 'visitor', 'left_at'],
      mapped(packed(tx, task, data, 'people'), (line) =>
        line.kind === 'evacuee'
          ? [
              ...[nameOf(line), line.building_name, line.floor_name, line.status, time(line.status_at)],
              ...[time(line.status_observed_at), line.refused, line.visitor, time(line.removed_at)],
            ]
          : undefined,
      ),
    ),
    file(
      'wardens.csv',
      ['name', 'role', 'reported_in_at', 'not_available_at', 'off_duty_at'],
      mapped(readWardens(tx, task, data), (warden) => [
        ...[names === 'none' ? null : warden.name, warden.role],
        ...[time(warden.reportedIn), time(warden.notAvailable), time(warden.offDuty)],
      ]),
    ),
    file(
      'texts.csv',
      ['kind', 'to', 'status', 'reason', 'gateway', 'segments', 'written_at', 'changed_at'],
      mapped(packed(tx, task, data, 'texts'), (line) => [
        ...[line.kind, names === 'all' ? line.name : null, line.status, line.reason, line.gateway, line.segments],
        ...[time(line.written_at), time(line.changed_at)],
      ]),
    ),
    file(
      'timeline.csv',
      ['recorded_at', 'seen_at', 'late_seconds', 'action', 'what', 'who', 'role', 'phone', 'overruled'],
      mapped(
        readTimeline(tx, task.reach, {
          eventUid: task.eventUid,
          isWhole,
          show: names === 'needed' ? 'moments' : 'all',
        }),
        (entry) => [
          ...[time(entry.recorded_at), time(entry.seen_at), entry.late, entry.action],
          // what happened names whom it happened to
          ...(names === 'none' ? [null, null] : [entry.what, entry.who]),
          ...[entry.role, entry.phone, entry.overruled],
        ],
      ),
    ),
    file(
      'entries.csv',
      ['kind', 'recorded_at', 'seen_at', 'by', 'role', 'text'],
      additions.map((addition) => [
        ...[addition.kind, time(addition.recorded_at), time(addition.observed_at)],
        ...[names === 'none' ? null : addition.by, addition.role, JSON.stringify(addition.body)],
      ]),
    ),
  ]
}

/** The byte order mark tells spreadsheets that it is UTF-8. */
async function* csvOf(head: readonly string[], rows: Rows): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(head)}`
  for await (const row of rows)
    yield csvLine(row.map((cell) => (cell === null || cell === undefined ? '' : String(cell))))
}

async function* mapped<T>(lines: AsyncIterable<T>, cellsOf: (line: T) => readonly unknown[] | undefined) {
  for await (const line of lines) {
    const cells = cellsOf(line)
    if (cells) yield cells as readonly Cell[]
  }
}
