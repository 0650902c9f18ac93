import type { RecordAddition } from '#features/records/calls/additions.ts'
import { timesOf } from '#features/records/times.ts'
import { recordFigures, signOffSentence } from '#features/records/words.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { type Section, table } from './pdf-parts.ts'

const titles: Record<RecordAddition['kind'], string> = {
  fact: 'Fact',
  outcome: 'Outcome',
  observation: 'Observation',
  checklist: 'Checklist',
  action: 'Action',
  action_step: 'Step of an action',
  correction: 'Correction',
  sign_off: 'Sign-off',
  names_reason: 'Names seen',
  hold: 'Hold',
  recount: 'Counted again',
}

/** What came later stands beside the figures, with who and when. */
export function additionsPart({ names }: ExportTask, { record, additions }: RecordData): Section[] {
  const times = timesOf(record)
  const by = ({ by: name, role }: RecordAddition) =>
    names === 'none' ? (role ?? '–') : `${name}${role ? ` (${role})` : ''}`
  const rows = additions.map((addition) => [
    times.moment(addition.recorded_at),
    titles[addition.kind],
    [correctedOf(record, addition), wordsOf(addition, names === 'none')].filter(Boolean).join(': '),
    by(addition),
  ])
  return [{ title: 'Added later', parts: [table(['When', 'Kind', 'What', 'Who'], ['1.6', '1', '3', '1.6'], rows)] }]
}

const figureWords: Readonly<Record<string, string>> = recordFigures

/** What a correction is of. An entry of the timeline by its time of recording. */
function correctedOf({ sentences, floors, buildings }: RecordData['record'], { kind, body }: RecordAddition): string {
  if (kind !== 'correction') return ''
  if (body.sentence) return `“${sentences.find(({ number }) => number === body.sentence)?.text ?? body.sentence}”`
  if (!body.figure) return 'An entry of the timeline'
  const floor = floors.rows.find(({ id }) => id === body.place)
  const place = floor ? `${floor.building_name} - ${floor.name}` : buildings.find(({ id }) => id === body.place)?.name
  return [place, figureWords[String(body.figure)]].filter(Boolean).join(', ')
}

function wordsOf({ kind, body }: RecordAddition, isWithoutNames: boolean): string {
  const told = (...keys: string[]) => keys.flatMap((key) => (typeof body[key] === 'string' ? body[key] : [])).join(': ')
  switch (kind) {
    case 'fact':
      return `${String(body.fact).replaceAll('_', ' ')}: ${body.value}`
    case 'action': {
      const owner = isWithoutNames ? '' : `, ${body.owner?.name}`
      return `${body.what} (${body.priority}, due ${body.due}${owner})${body.why ? `. ${body.why}` : ''}`
    }
    case 'action_step':
      return told('step', 'note')
    case 'checklist':
      return told('item', 'answer', 'note')
    case 'sign_off':
      return [signOffSentence, told('role'), body.head && `Log head ${body.head.size} ${body.head.root}`]
        .filter(Boolean)
        .join(' ')
    default:
      return told('tone', 'outcome', 'text', 'reason')
  }
}
