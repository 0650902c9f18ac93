import { sayOfRecord } from '#features/records/doing.ts'
import { durationOf, textDeletedOn, textsBy } from '#features/records/figures.ts'
import { entryKind } from '#features/records/journal-words.ts'
import { timesOf } from '#features/records/times.ts'
import { noClearStatus, noTextsSent, purposeWords } from '#features/records/words.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { curveChart } from './chart.ts'
import { count, type Part, type Section, table, text } from './pdf-parts.ts'

const none = '–'

export function people({ record }: RecordData): Section {
  const { end, refusals } = record.people
  const { end: plans } = record.plans
  const say = sayOfRecord(record)
  return {
    title: 'People',
    parts: [
      table(
        ['At the end', say('Safe'), 'Unknown', say('In danger')],
        ['2', '1', '1', '1'],
        [
          ['Everyone', ...[end.safe, end.unknown, end.danger].map(count)],
          ['People with a plan', ...[plans.safe, plans.unknown, plans.danger].map(count)],
        ],
      ),
      text(`${say('Refused to leave')}: ${count(refusals)}.`),
      curveChart(record) ?? text('People over time: – (the journal has no counts to begin with).'),
    ],
  }
}

const after = (seconds: number | null) => (seconds === null ? none : durationOf(seconds))

export function floors({ record }: RecordData): Section {
  if (!record.floors.has_clear_status)
    return {
      title: 'Floors',
      parts: [text(noClearStatus), floorTable(record)],
    }
  const say = sayOfRecord(record)
  const unseen = record.floors.rows.filter(({ unseen_when_clear }) => unseen_when_clear > 0)
  return {
    title: 'Floors',
    parts: [
      text(
        `${count(record.floors.clear)} of ${count(record.floors.total)} floors were ${say('clear')} at the end. Times count from ${record.live_from ? 'when it became live' : 'the start'}.`,
      ),
      floorTable(record),
      ...(unseen.length > 0
        ? [
            text(say('Cleared, but not everyone seen:')),
            table(
              ['Floor', say('Not seen when first clear')],
              ['2', '1'],
              unseen.map((floor) => [`${floor.building_name} - ${floor.name}`, count(floor.unseen_when_clear)]),
            ),
          ]
        : []),
    ],
  }
}

const floorTable = ({ floors: { rows }, ...record }: RecordData['record']) =>
  table(
    [
      'Floor',
      'Status at the end',
      ...['First clear', 'Clear', 'Reopened', 'Safe', 'Unknown', 'In danger', 'Wardens'].map(sayOfRecord(record)),
    ],
    ['3', '2', '1.2', '1', '1.4', '1', '1.4', '1.5', '1.4'],
    rows.map((floor) => [
      ...[`${floor.building_name} - ${floor.name}`, floor.status, after(floor.first_clear), after(floor.clear)],
      ...[floor.reopened, floor.people.safe, floor.people.unknown, floor.people.danger, floor.wardens].map(count),
    ]),
  )

/** `named`: their names, where the copy has names. */
export function wardens(
  { names }: ExportTask,
  { record: { wardens: w, floors: f } }: RecordData,
  named: readonly Part[],
): Section {
  const taken = w.taken ?? []
  return {
    title: 'Wardens',
    parts: [
      table(
        [
          'Wardens',
          'Reported in',
          'Not available',
          'Half answered',
          '80% answered',
          '90% answered',
          'Floors never covered',
        ],
        ['1', '1', '1', '1', '1', '1', '1'],
        [
          [
            count(w.total),
            count(w.reported_in),
            count(w.not_available),
            after(w.answered.half),
            after(w.answered.most),
            after(w.answered.nearly_all),
            `${count(w.never_covered)} of ${count(f.total)}`,
          ],
        ],
      ),
      ...(taken.length === 0
        ? []
        : [
            table(
              ['Floor', 'Taken by', 'From', 'To'],
              ['3', '3', '1', '1'],
              taken.map(({ name, building_name, by, from, to }) => [
                `${building_name} - ${name}`,
                (names === 'none' ? by?.role : by?.name) ?? none,
                after(from),
                to === null ? 'the end' : after(to),
              ]),
            ),
          ]),
      ...named,
    ],
  }
}

export function texts({ record: { texts: t } }: RecordData): Section {
  if (!t.allowed || t.purposes.length === 0)
    return {
      title: 'Texts',
      parts: [text(t.allowed ? 'No texts were sent.' : noTextsSent)],
    }
  return {
    title: 'Texts',
    parts: [
      table(
        ['Purpose', 'Written', 'Delivered', 'Failed', 'Without a receipt', 'Not sent'],
        ['2', '1', '1', '1', '1.5', '1'],
        t.purposes.map((one) => {
          const { written, delivered, failed, withoutReceipt, notSent } = textsBy([one])
          return [
            purposeWords[one.purpose] ?? one.purpose,
            ...[written, delivered, failed, withoutReceipt, notSent].map(count),
          ]
        }),
      ),
      text(`Half were delivered within ${after(t.delivered_half)}, 90% within ${after(t.delivered_most)}.`),
    ],
  }
}

export function decisions({ names }: ExportTask, { record }: RecordData): Section {
  const times = timesOf(record)
  return {
    title: 'Decisions',
    parts: [
      table(
        ['Time', 'What', 'Who', 'Words'],
        ['auto', '1.3', '1.5', '3'],
        record.decisions.map(({ at, action, by, words, deleted_at }) => [
          ...[times.short(at), entryKind(action)],
          ...[
            by ? (names === 'none' ? by.role : `${by.name} (${by.role})`) : none,
            deleted_at ? textDeletedOn(deleted_at, record.timezone) : words || none,
          ],
        ]),
      ),
    ],
  }
}
