import { recordDigits } from '#features/log/server/bundle.service.ts'
import { checkedWords, headProves } from '#features/log/words.ts'
import { resultInWords } from '#features/records/doing.ts'
import { asCounted } from '#features/records/figures.ts'
import { timesOf } from '#features/records/times.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type ExportTask, TooLarge } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { additionsParts } from './additions-part.ts'
import { arrivedPart } from './arrived-part.ts'
import { eventPart } from './event-part.ts'
import { decisions, floors, people, texts, wardens } from './figures-parts.ts'
import { standingOf, summary, troubleOf } from './first-page.ts'
import { compared, contact, plans } from './further-parts.ts'
import { improvementPlan } from './improvement-part.ts'
import { listNames } from './names.ts'
import { type Pages, type Section, text } from './pdf-parts.ts'
import { timelinePart } from './timeline-part.ts'

/** Of names and timeline. */
const mostRows = 8_000

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
    result: resultInWords(record.result),
    trouble: troubleOf(data),
    standing: standingOf(task, data),
    foot: footOf(task, await recordDigits(tx, { ...task.reach, eventUid: task.eventUid })),
    sections: [
      summary(task, data),
      eventPart(task, data),
      ...names.needed,
      improvementPlan(task, data),
      people(data),
      floors(data),
      wardens(task, data, names.wardens),
      texts(data),
      plans(data),
      decisions(task, data),
      contact(task, data),
      compared(data),
      ...arrivedPart(task, data),
      ...additionsParts(task, data),
      ...names.all,
      ...timeline,
      log(task, data),
    ],
  }
}

/** What ties a sheet of paper to the log. */
const footOf = ({ head }: ExportTask, lines: string | null) =>
  [head ? `Log head ${head.size} ${head.root}` : 'Log head: none', ...(lines ? [`Record lines ${lines}`] : [])].join(
    '  ',
  )

const log = ({ head, key }: ExportTask, { check, record }: RecordData): Section => ({
  title: 'Log',
  parts: [
    text(head ? `Log head ${head.size} ${head.root}` : 'Nothing of this event is sealed.'),
    ...(check?.trouble === null ? [text(checkedWords(check.size, timesOf(record).moment(check.at)))] : []),
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
            {
              kind: 'list',
              items: [...missing].map((letter) => ({ text: [...letter].map(codeOf).join(' '), below: [] })),
            },
          ],
        },
      ]

const codeOf = (letter: string) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
