import { headProves } from '#features/log/words.ts'
import { asCounted, durationOf, messageOf, textDeletedOn, textsBy } from '#features/records/figures.ts'
import { timesOf } from '#features/records/times.ts'
import { noClearStatus, noTextsSent, writtenEarlyWords } from '#features/records/words.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type ExportTask, TooLarge } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { additionsPart } from './additions-part.ts'
import { arrivedPart } from './arrived-part.ts'
import { curveChart } from './chart.ts'
import { listNames } from './names.ts'
import type { Pages, Section } from './pdf-parts.ts'
import { count, table, text } from './pdf-parts.ts'
import { timelinePart } from './timeline-part.ts'

/** Of names and timeline. */
const mostRows = 8_000
const none = '–'

/** What the pages say, in their order. */
export async function pagesOf(tx: Tx, task: ExportTask, { record: kept, ...around }: RecordData): Promise<Pages> {
  const record = asCounted(kept)
  const data = { ...around, record }
  const names = await listNames(tx, task, data, mostRows)
  const timeline = await timelinePart(tx, task, data, mostRows - names.rows)
  if (timeline === undefined || names.rows > mostRows) throw new TooLarge('More than 8,000 rows: use the bundle.')
  const kindWord = record.kind === 'drill' ? 'DRILL' : 'LIVE EVENT'
  const times = timesOf(record)
  return {
    title: `${record.kind === 'drill' ? 'DRILL: ' : ''}Record ${record.number}, ${record.type} at ${record.site.name}`,
    host: task.key.name,
    kind: record.kind,
    kindWord,
    recordWord: `Record ${record.number}`,
    headline: `${record.site.name}, ${times.date(record.started_at)}`,
    heading: `${record.type} at ${record.site.name}`,
    subtitle: `${times.date(record.started_at)}, ${times.short(record.started_at)} to ${times.short(record.ended_at)}. ${times.zone}.`,
    result: resultWords(record.result),
    foot: task.head ? `Log head ${task.head.size} ${task.head.root}` : 'Log head: none',
    sections: [
      summary(task, data),
      header(task, data),
      people(data),
      floors(data),
      wardens(task, data),
      texts(data),
      decisions(task, data),
      ...arrivedPart(task, data),
      ...names.sections,
      ...additionsPart(task, data),
      ...timeline,
      log(task),
    ],
  }
}

const resultWords = ({ word, people: n }: RecordData['record']['result']): string =>
  ({
    accounted: 'Everyone accounted for',
    unaccounted: `${count(n)} not accounted for`,
    danger: `${count(n)} in danger at the end`,
    nobody: 'No one to account for',
  })[word]

/** Sentence 2 names who started and ended it. */
const summary = ({ names }: ExportTask, { record, additions, isWhole }: RecordData): Section => ({
  title: 'Summary',
  parts: [
    ...additions.filter(({ kind }) => kind === 'recount').map(({ body }) => text(String(body.text))),
    ...(record.written_early ? [text(writtenEarlyWords)] : []),
    ...(isWhole
      ? []
      : [text('This copy is for someone who may read only some places of the event. Totals cover the whole event.')]),
    {
      kind: 'list',
      items: record.sentences.filter(({ number }) => names !== 'none' || number !== 2).map((one) => one.text),
    },
  ],
})

function header({ names }: ExportTask, { record }: RecordData): Section {
  const times = timesOf(record)
  const by = (who: typeof record.started_by) =>
    who ? (names === 'none' ? who.role : `${who.name} (${who.role})`) : none
  const announced = record.announced === null ? none : record.announced ? 'Announced' : 'Unannounced'
  const optional = (title: string, value: string | null) => (value === null ? [] : [[title, value]])
  const rows = [
    ['Kind', record.kind === 'drill' ? 'Drill (an exercise)' : 'Live event'],
    ['People were told in advance', announced],
    ['Type', record.type],
    ['Buildings', record.buildings.map((building) => building.name).join(', ') || none],
    ['Began', times.moment(record.started_at)],
    ['Ended', times.moment(record.ended_at)],
    ['Duration', durationOf(record.seconds)],
    ...optional('Shift', record.shift),
    ['Started by', by(record.started_by)],
    ['Ended by', by(record.ended_by)],
    ...optional('Made a live event', record.live_from && `${times.short(record.live_from)}, ${by(record.live_by)}`),
    ['Message', messageOf(record) || none],
    [
      'Broadcast; alert to wardens',
      `${record.toggles.broadcast ? 'yes' : 'no'}; ${record.toggles.alert ? 'yes' : 'no'}`,
    ],
  ]
  return { title: 'Event', parts: [table(['Fact', 'Value'], ['auto', '1'], rows)] }
}

function people({ record }: RecordData): Section {
  const { end, refusals } = record.people
  const { end: plans } = record.plans
  return {
    title: 'People',
    parts: [
      table(
        ['At the end', 'Safe', 'Unknown', 'In danger'],
        ['2', '1', '1', '1'],
        [
          ['Everyone', ...[end.safe, end.unknown, end.danger].map(count)],
          ['People with a plan', ...[plans.safe, plans.unknown, plans.danger].map(count)],
        ],
      ),
      text(`Refused to leave: ${count(refusals)}.`),
      curveChart(record) ?? text('People over time: – (the journal has no counts to begin with).'),
    ],
  }
}

const after = (seconds: number | null) => (seconds === null ? none : durationOf(seconds))

function floors({ record }: RecordData): Section {
  if (!record.floors.has_clear_status)
    return {
      title: 'Floors',
      parts: [text(noClearStatus), floorTable(record)],
    }
  const unseen = record.floors.rows.filter(({ unseen_when_clear }) => unseen_when_clear > 0)
  return {
    title: 'Floors',
    parts: [
      text(
        `${count(record.floors.clear)} of ${count(record.floors.total)} floors were clear at the end. Times count from ${record.live_from ? 'when it became live' : 'the start'}.`,
      ),
      floorTable(record),
      ...(unseen.length > 0
        ? [
            text('Cleared, but not everyone seen:'),
            table(
              ['Floor', 'Not seen when first clear'],
              ['2', '1'],
              unseen.map((floor) => [`${floor.building_name} - ${floor.name}`, count(floor.unseen_when_clear)]),
            ),
          ]
        : []),
    ],
  }
}

const floorTable = ({ floors: { rows } }: RecordData['record']) =>
  table(
    ['Floor', 'Status at the end', 'First clear', 'Clear', 'Reopened', 'Safe', 'Unknown', 'In danger', 'Wardens'],
    ['3', '2', '1.2', '1', '1.4', '1', '1.4', '1.5', '1.4'],
    rows.map((floor) => [
      ...[`${floor.building_name} - ${floor.name}`, floor.status, after(floor.first_clear), after(floor.clear)],
      ...[floor.reopened, floor.people.safe, floor.people.unknown, floor.people.danger, floor.wardens].map(count),
    ]),
  )

function wardens({ names }: ExportTask, { record: { wardens: w, floors: f } }: RecordData): Section {
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
    ],
  }
}

function texts({ record: { texts: t } }: RecordData): Section {
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
          return [one.purpose.replaceAll('_', ' '), ...[written, delivered, failed, withoutReceipt, notSent].map(count)]
        }),
      ),
      text(`Half were delivered within ${after(t.delivered_half)}, 90% within ${after(t.delivered_most)}.`),
    ],
  }
}

function decisions({ names }: ExportTask, { record }: RecordData): Section {
  const times = timesOf(record)
  return {
    title: 'Decisions',
    parts: [
      table(
        ['Time', 'What', 'Who', 'Words'],
        ['auto', '1.3', '1.5', '3'],
        record.decisions.map(({ at, action, by, words, deleted_at }) => [
          ...[times.short(at), action.replaceAll('_', ' ')],
          ...[
            by ? (names === 'none' ? by.role : `${by.name} (${by.role})`) : none,
            deleted_at ? textDeletedOn(deleted_at, record.timezone) : words || none,
          ],
        ]),
      ),
    ],
  }
}

const log = ({ head, key }: ExportTask): Section => ({
  title: 'Log',
  parts: [
    text(head ? `Log head ${head.size} ${head.root}` : 'Nothing of this event is sealed.'),
    text(
      `Key: ${key.name}+${key.keyId}+${Buffer.concat([Buffer.from([1]), Buffer.from(key.publicKey, 'base64')]).toString('base64')}`,
    ),
    text(headProves),
    text(
      "How to check this record: export 'Everything, for checking (ZIP)'; take record-check.mjs from a server that you trust; run it with the key and the log head above.",
    ),
  ],
})

/** What was drawn as □. */
export const unknownLetters = (missing: ReadonlySet<string>): Section[] =>
  missing.size === 0
    ? []
    : [
        {
          title: 'Characters that could not be drawn',
          parts: [
            text('They are drawn as □. The bundle has them as they were written.'),
            { kind: 'list', items: [...missing].map((letter) => [...letter].map(codeOf).join(' ')) },
          ],
        },
      ]

const codeOf = (letter: string) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
