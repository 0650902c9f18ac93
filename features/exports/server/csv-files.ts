import type { BundleLine } from '#features/log/server/bundle.service.ts'
import { readTimeline } from '#features/records/server/timeline.service.ts'
import { csvLine } from '#server/platform/csv.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from './export-task.ts'
import { offsetTimes } from './export-times.ts'
import { packed, packedPeople } from './packed-lines.ts'
import type { RecordData } from './record-data.ts'
import { readWardens } from './warden-lines.ts'

interface CsvFile {
  path: string
  content: AsyncGenerator<string>
}
type Cell = string | number | boolean | null | undefined
/** By name of the column. */
type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>

/**
 * Floors, people, wardens, texts, timeline and entries, as RFC 4180 in UTF-8 with a mark. Times are ISO 8601 with
 * the offset of the site. People and texts are as they were when the record was closed.
 */
export function csvFiles(tx: Tx, task: ExportTask, data: RecordData): CsvFile[] {
  const { record, additions, isWhole } = data
  const { names, reach, eventUid } = task
  const time = offsetTimes(record.timezone)
  const startedAt = Date.parse(record.started_at)
  const after = (seconds: number | null) =>
    seconds === null ? null : time(new Date(startedAt + seconds * 1000).toISOString())
  const show = names === 'needed' ? 'moments' : 'all'
  return [
    csvFile('floors.csv', floorColumns(after), record.floors.rows),
    csvFile('people.csv', peopleColumns(time, names), packedPeople(tx, task, data)),
    csvFile('wardens.csv', wardenColumns(time, names), readWardens(tx, task, data)),
    csvFile('texts.csv', textColumns(time, names), packed(tx, task, data, 'texts')),
    csvFile('timeline.csv', timelineColumns(time, names), readTimeline(tx, reach, { eventUid, isWhole, show })),
    csvFile('entries.csv', entryColumns(time, names), additions),
  ]
}

type Names = ExportTask['names']
type Time = ReturnType<typeof offsetTimes>

const floorColumns = (after: (seconds: number | null) => string | null) =>
  ({
    building: (floor) => floor.building_name,
    floor: (floor) => floor.name,
    status: (floor) => floor.status,
    first_clear: (floor) => after(floor.first_clear),
    clear: (floor) => after(floor.clear),
    reopened: (floor) => floor.reopened,
    order: (floor) => floor.order,
    safe: (floor) => floor.people.safe,
    unknown: (floor) => floor.people.unknown,
    danger: (floor) => floor.people.danger,
    refused: (floor) => floor.refusals,
    wardens: (floor) => floor.wardens,
  }) satisfies Columns<RecordData['record']['floors']['rows'][number]>

/** 'needed': of people who were not accounted for, in danger, or refused. */
const isNamed = (names: Names, { status, refused }: BundleLine) =>
  names === 'all' || (names === 'needed' && (status !== 'safe' || refused === true))

const peopleColumns = (time: Time, names: Names) =>
  ({
    name: (line) => (isNamed(names, line) ? String(line.name) : null),
    building: (line) => line.building_name,
    floor: (line) => line.floor_name,
    status: (line) => line.status,
    status_at: (line) => time(line.status_at),
    seen_at: (line) => time(line.status_observed_at),
    refused: (line) => line.refused,
    visitor: (line) => line.visitor,
    left_at: (line) => time(line.removed_at),
  }) satisfies Columns<BundleLine>

const wardenColumns = (time: Time, names: Names) =>
  ({
    name: (warden) => (names === 'none' ? null : warden.name),
    role: (warden) => warden.role,
    reported_in_at: (warden) => time(warden.reportedIn),
    not_available_at: (warden) => time(warden.notAvailable),
    off_duty_at: (warden) => time(warden.offDuty),
  }) satisfies Columns<RowOf<ReturnType<typeof readWardens>>>

const textColumns = (time: Time, names: Names) =>
  ({
    kind: (line) => line.kind,
    to: (line) => (names === 'all' ? line.name : null),
    status: (line) => line.status,
    reason: (line) => line.reason,
    gateway: (line) => line.gateway,
    segments: (line) => line.segments,
    written_at: (line) => time(line.written_at),
    changed_at: (line) => time(line.changed_at),
  }) satisfies Columns<BundleLine>

/** What happened names whom it happened to. */
const timelineColumns = (time: Time, names: Names) =>
  ({
    recorded_at: (entry) => time(entry.recorded_at),
    seen_at: (entry) => time(entry.seen_at),
    late_seconds: (entry) => entry.late,
    action: (entry) => entry.action,
    what: (entry) => (names === 'none' ? null : entry.what),
    who: (entry) => (names === 'none' ? null : entry.who),
    role: (entry) => entry.role,
    phone: (entry) => entry.phone,
    overruled: (entry) => entry.overruled,
  }) satisfies Columns<RowOf<ReturnType<typeof readTimeline>>>

const entryColumns = (time: Time, names: Names) =>
  ({
    kind: (addition) => addition.kind,
    recorded_at: (addition) => time(addition.recorded_at),
    seen_at: (addition) => time(addition.observed_at),
    by: (addition) => (names === 'none' ? null : addition.by),
    role: (addition) => addition.role,
    text: (addition) => JSON.stringify(addition.body),
  }) satisfies Columns<RecordData['additions'][number]>

type RowOf<Rows> = Rows extends AsyncIterable<infer Row> ? Row : never

/** The byte order mark tells spreadsheets that it is UTF-8. */
const csvFile = <Row>(path: string, columns: Columns<Row>, rows: AsyncIterable<Row> | Iterable<Row>): CsvFile => ({
  path,
  content: (async function* () {
    yield `\uFEFF${csvLine(Object.keys(columns))}`
    for await (const row of rows)
      yield csvLine(Object.values(columns).map((cellOf) => String((cellOf(row) as Cell) ?? '')))
  })(),
})
