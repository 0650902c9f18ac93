import type { RecordAddition } from '#features/records/calls/additions.ts'
import { sayOfRecord } from '#features/records/doing.ts'
import type { ExportNames } from '#features/records/kinds.ts'
import { ofKind } from '#features/records/standing.ts'
import { timesOf } from '#features/records/times.ts'
import { recordFigures, sentenceTopics, signOffSentence } from '#features/records/words.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { byOf } from './by.ts'
import { type Section, table, text } from './pdf-parts.ts'
import { placeNames } from './place-names.ts'

/** Corrections, answers, facts and sign-offs: what people added beside the figures, with who and when. */
export function additionsParts({ names }: ExportTask, data: RecordData): Section[] {
  const { record, additions } = data
  const times = timesOf(record)
  const whoAndWhen = (addition: RecordAddition) => [byOf(addition, names), times.short(addition.recorded_at)]
  const section = (title: string, head: readonly string[], widths: readonly string[], rows: string[][]): Section => ({
    title,
    parts: [table([...head, 'Who', 'When'], [...widths, '1.8', '1.4'], rows)],
  })
  const of = (...kinds: RecordAddition['kind'][]) => additions.filter(({ kind }) => kinds.includes(kind))
  const looks = of('names_reason', 'hold')
  return [
    section(
      'Corrections',
      ['Of what', 'What is right'],
      ['2.4', '2.4'],
      of('correction').map((one) => [correctedOf(record, one), String(one.body.text), ...whoAndWhen(one)]),
    ),
    section(
      'Checklist',
      ['Item', 'Answer', 'Note'],
      ['2.2', '0.9', '1.8'],
      of('checklist').map(({ body, ...one }) => [
        ...[String(body.item), String(body.answer), String(body.note ?? '–')],
        ...whoAndWhen({ ...one, body }),
      ]),
    ),
    section(
      'Facts',
      ['Fact', 'Value'],
      ['1.4', '3'],
      of('fact', 'outcome').map((one) => [...factOf(one), ...whoAndWhen(one)]),
    ),
    signOffs(data, names),
    ...(looks.length === 0
      ? []
      : [
          section(
            'Names seen, and holds',
            ['What', 'Why'],
            ['1.4', '3'],
            looks.map((one) => [lookOf(one), String(one.body.reason), ...whoAndWhen(one)]),
          ),
        ]),
  ]
}

const factOf = ({ kind, body }: RecordAddition): [string, string] =>
  kind === 'outcome' ? ['Outcome', String(body.outcome)] : [sentenceCase(String(body.fact)), String(body.value)]

const sentenceCase = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).replaceAll('_', ' ')}`

const lookOf = ({ kind, body }: RecordAddition) =>
  kind === 'hold' ? (body.hold ? 'Hold' : 'Hold lifted') : 'Names of people with a plan seen'

function signOffs({ record, additions }: RecordData, names: ExportNames): Section {
  const times = timesOf(record)
  const signed = ofKind(additions, 'sign_off')
  if (signed.length === 0) return { title: 'Sign-offs', parts: [text('Not signed yet')] }
  return {
    title: 'Sign-offs',
    parts: [
      text(signOffSentence),
      table(
        ['Who', 'Role', 'When', 'Log head'],
        ['1.6', '1.4', '1.5', '3'],
        signed.map(({ by, role, body, recorded_at }) => [
          names === 'none' ? '–' : by,
          body.role ?? role ?? '–',
          times.moment(recorded_at),
          body.head ? `${body.head.size} ${body.head.root}` : '–',
        ]),
      ),
    ],
  }
}

const figureWords: Readonly<Record<string, string>> = recordFigures

/** What a correction is of. */
function correctedOf(record: RecordData['record'], { body }: RecordAddition): string {
  if (body.sentence) {
    const sentence = record.sentences.find(({ number }) => number === body.sentence)
    return sentence
      ? `“${sentence.text}”`
      : `${sentenceTopics[Number(body.sentence) - 1]}, which the summary leaves out`
  }
  if (!body.figure) return 'An entry of the timeline'
  const say = sayOfRecord(record)
  return [placeNames(record)(body.place), say(figureWords[String(body.figure)] ?? '')].filter(Boolean).join(', ')
}
