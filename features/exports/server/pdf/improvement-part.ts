import { actionsIn, ofKind, type StandingAction } from '#features/records/standing.ts'
import { timesOf } from '#features/records/times.ts'
import type { ExportTask } from '../export-task.ts'
import { formatDay } from '../export-times.ts'
import type { RecordData } from '../record-data.ts'
import { byOf } from './by.ts'
import { type Part, type Section, table } from './pdf-parts.ts'
import { placeNames } from './place-names.ts'

const tones = [
  ['Went well', 'What went well'],
  ['To improve', 'What to improve'],
  ['Note', 'Notes'],
] as const

/** What people saw, and the work that follows from it. Notes are left out where there are none. */
export function improvementPlan(task: ExportTask, data: RecordData): Section {
  const observations = ofKind(data.additions, 'observation')
  const actions = actionsIn(data.additions)
  const parts = tones.flatMap(([tone, title]): Part[] => {
    const seen = observations.filter(({ body }) => body.tone === tone)
    return tone === 'Note' && seen.length === 0 ? [] : [{ kind: 'heading', text: title }, seenTable(task, data, seen)]
  })
  return {
    title: 'Improvement plan',
    parts: [...parts, { kind: 'heading', text: 'Actions' }, actionsTable(task, data, actions)],
  }
}

type Observations = ReturnType<typeof ofKind<'observation'>>

function seenTable({ names }: ExportTask, { record, additions }: RecordData, observations: Observations): Part {
  const times = timesOf(record)
  const placeOf = placeNames(record)
  const actions = actionsIn(additions)
  const numbersOf = (uid: string) =>
    actions.flatMap(({ body }) => (body.from === uid ? [String(body.no ?? '–')] : [])).join(', ')
  return table(
    ['Time', 'Place', 'What', 'Who', 'Action no.'],
    ['1.3', '1.6', '4', '1.8', '0.9'],
    observations.map((seen) => [
      times.short(seen.observed_at ?? seen.recorded_at),
      placeOf(seen.body.place) ?? '–',
      seen.body.text,
      byOf(seen, names),
      numbersOf(seen.uid) || '–',
    ]),
  )
}

const actionsTable = (task: ExportTask, data: RecordData, actions: readonly StandingAction[]): Part =>
  table(
    ['No.', 'What', 'Why', 'Priority', 'Owner', 'Due', 'State'],
    ['0.6', '3', '2.4', '1', '1.6', '1.3', '2.4'],
    actions.map((action) => [
      String(action.body.no ?? '–'),
      action.body.what,
      action.body.why ?? '–',
      action.body.priority,
      task.names === 'none' ? '–' : action.body.owner.name,
      formatDay(action.body.due),
      stateOf(task, data, action),
    ]),
  )

const stateWords = { open: 'Open', done: 'Done', verified: 'Verified', reopened: 'Reopened' } as const

/** Each step with who made it and when, the last one last. */
function stateOf({ names }: ExportTask, { record }: RecordData, { state, steps }: StandingAction): string {
  if (steps.length === 0) return stateWords[state]
  const times = timesOf(record)
  return steps
    .map((step) => {
      const note = step.body.note ? `. ${step.body.note}` : ''
      return `${stateWords[step.body.step]} by ${byOf(step, names)}, ${times.short(step.recorded_at)}${note}`
    })
    .join('\n')
}
