import { troubleWords } from '#features/log/words.ts'
import {
  correctedWords,
  correctionsOf,
  correctionsOfMissing,
  outcomeWords,
  signedWords,
  sinceWords,
} from '#features/records/standing.ts'
import { timesOf } from '#features/records/times.ts'
import { writtenEarlyWords } from '#features/records/words.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { type Part, type Section, text } from './pdf-parts.ts'

/** What stands before everything else. */
export const troubleOf = ({ check, record }: RecordData): string | null =>
  check?.trouble ? troubleWords(check.trouble, timesOf(record).moment(check.at)) : null

/** What stands above the summary: how it ended, what it was, who signed it, and what came since. */
export function standingOf({ names }: ExportTask, { record, additions, arrived }: RecordData): string[] {
  const outcome = outcomeWords(record.kind, additions)
  const told = { date: timesOf(record).date, isWithoutNames: names === 'none' }
  return [...(outcome ? [outcome] : []), ...signedWords(additions, told), sinceWords(additions, arrived.all)]
}

/** Sentences that name people: who started and ended it, and who opened plans. */
const naming = new Set([2, 17])

/** The sentences, each with what corrects it. */
export function summary({ names }: ExportTask, { record, additions, isWhole }: RecordData): Section {
  const told = { date: timesOf(record).date, isWithoutNames: names === 'none' }
  const missing = correctionsOfMissing(additions, record.sentences)
  const items = record.sentences
    .filter(({ number }) => names !== 'none' || !naming.has(number))
    .map((sentence) => ({
      text: sentence.text,
      below: correctionsOf(additions, sentence.number).map((one) => correctedWords(one, told)),
    }))
  const left: Part[] =
    missing.length === 0
      ? []
      : [
          { kind: 'heading', text: 'What the summary leaves out' },
          { kind: 'list', items: missing.map((one) => ({ text: correctedWords(one, told), below: [] })) },
        ]
  return {
    title: 'Summary',
    parts: [
      ...additions.filter(({ kind }) => kind === 'recount').map(({ body }) => text(String(body.text))),
      ...(record.written_early ? [text(writtenEarlyWords)] : []),
      ...(isWhole
        ? []
        : [text('This copy is for someone who may read only some places of the event. Totals cover the whole event.')]),
      { kind: 'list', items },
      ...left,
    ],
  }
}
