import { changeOf, comparedLines, comparedWith, nothingEarlier } from '#features/records/compared.ts'
import { sayOfRecord, wordsOfRecord } from '#features/records/doing.ts'
import { durationOf } from '#features/records/figures.ts'
import { timesOf } from '#features/records/times.ts'
import { contactNotMeasured } from '#features/records/words.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { count, type Part, type Section, statusWords, table, text } from './pdf-parts.ts'

const after = (seconds: number | null) => (seconds === null ? '–' : durationOf(seconds))
const until = (seconds: number | null) => (seconds === null ? 'the end' : durationOf(seconds))

/** Where people with a plan were, without names. */
export function plans({ record }: RecordData): Section {
  const { plans: told } = record
  const say = sayOfRecord(record)
  const { safe, inDanger } = wordsOfRecord(record)
  const { end, last_safe, floors = [], people = [] } = told
  if (end.total === 0) return { title: 'Plans', parts: [text('No one with an evacuation plan was in the event.')] }
  const byFloor = table(
    ['Floor', 'People', ...['Safe', 'Unknown', 'In danger', 'Last safe after'].map(say)],
    ['3', '1', '1', '1.2', '1.2', '1.6'],
    floors.map(({ place, people: of, last_safe: last }) => [
      place,
      ...[of.total, of.safe, of.unknown, of.danger].map(count),
      after(last),
    ]),
  )
  const byPerson = table(
    ['Person', 'Place', 'At the end', say('Safe after')],
    ['1.6', '3', '1.2', '1.2'],
    people.map(({ place, status, safe_after }, nth) => [
      ...[`Person ${count(nth + 1)} of ${count(end.total)}`, place, say(statusWords[status]), after(safe_after)],
    ]),
  )
  const last =
    last_safe === null ? `None of them was ${safe} at the end.` : `The last was ${safe} after ${after(last_safe)}.`
  return {
    title: 'Plans',
    parts: [
      text(
        `${count(end.total)} people with an evacuation plan: ${count(end.safe)} ${safe}, ${count(end.unknown)} unknown, ${count(end.danger)} ${inDanger} at the end. ${last}`,
      ),
      ...(floors.length > 0 ? [byFloor] : []),
      ...(people.length > 0 ? [byPerson] : []),
    ],
  }
}

/** When no phone, and when phones of single wardens, reached the server. */
export function contact({ names }: ExportTask, { record: { contact: told } }: RecordData): Section {
  if (!told) return { title: 'Contact', parts: [text(contactNotMeasured)] }
  const rows = [
    ...told.service.map((gap) => ({ ...gap, who: 'Everyone on duty: no phone reached the server' })),
    ...told.gaps.map(({ name, role, ...gap }) => ({ ...gap, who: names === 'none' ? role : `${name} (${role})` })),
  ].toSorted((a, b) => a.from - b.from)
  const gaps: Part[] =
    rows.length === 0
      ? []
      : [
          table(
            ['Warden', 'From', 'To'],
            ['4', '1', '1'],
            rows.map(({ who, from, to }) => [who, durationOf(from), until(to)]),
          ),
        ]
  const wardens = `Wardens out of contact for more than 90 s: ${count(told.wardens)}, at the end: ${count(told.to_the_end)}. Precision 60 s.`
  return { title: 'Contact', parts: [text(wardens), ...gaps] }
}

/** Beside the latest earlier one of its kind. */
export function compared({ record }: RecordData): Section {
  const { compared: earlier } = record
  if (!earlier) return { title: 'Compared', parts: [text(nothingEarlier(record.kind))] }
  const lines = comparedLines(record, earlier)
  const shown = (value: number | null, { words, why }: (typeof lines)[number]) =>
    value === null ? `– (${why})` : words(value)
  return {
    title: 'Compared',
    parts: [
      text(`With Record ${earlier.number}${comparedWith(record, earlier, timesOf(record).date(earlier.started_at))}`),
      table(
        ['Figure', 'Now', 'Then', 'Change'],
        ['2.4', '2', '2', '1.4'],
        lines.map((line) => [
          ...[line.name, shown(line.now, line), shown(line.before, line), changeOf(line)?.said ?? '–'],
        ]),
      ),
    ],
  }
}
