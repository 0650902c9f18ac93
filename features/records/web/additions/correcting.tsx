import { type ReactNode, useState } from 'react'
import type { EventUid, PlaceUid } from '#kernel/ids.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import type { EventRecord } from '../../calls/record.ts'
import { sayOfRecord } from '../../doing.ts'
import type { RecordFigure } from '../../kinds.ts'
import type { Body } from '../../standing.ts'
import { recordFigures, sentenceTopics } from '../../words.ts'
import { type Corrected, useCorrecting } from '../parts/corrections.tsx'
import { useAddition } from '../parts/records.data.ts'
import { useSay } from '../parts/say.ts'
import { isConsole } from '../parts/warden-or-console.tsx'
import { AddDialog } from './add-dialog.tsx'

interface CorrectButtonProps {
  label: string
  /** What it is about, for screen readers. */
  about: string
  onPress: () => void
}

const CorrectButton = ({ label, about, onPress }: CorrectButtonProps) => (
  <button type="button" className="rec-evidence text-left" aria-label={`${label}: ${about}`} onClick={onPress}>
    {label}
  </button>
)

interface CorrectionDialogProps {
  title: string
  event: EventUid
  of: Corrected
  onClose: () => void
  /** What is corrected, or the choice of it. */
  children: ReactNode
}

/** What is corrected stays as it is. */
export function CorrectionDialog({ title, event, of, onClose, children }: CorrectionDialogProps) {
  const [typed, setTyped] = useState('')
  const { add, busy } = useAddition(event)
  const text = typed.trim()
  return (
    <AddDialog
      title={title}
      busy={busy}
      problem={text === '' ? 'Write what is right.' : null}
      onSave={() => add({ kind: 'correction', body: { ...of, text } }, 'The correction has been added.')}
      onClose={onClose}
    >
      {(error) => (
        <>
          {children}
          <TextArea label="What is right" value={typed} maxLength={1000} onChange={setTyped} error={error} />
        </>
      )}
    </AddDialog>
  )
}

interface Choice {
  label: string
  of: Corrected
}

/** At the foot of the summary. */
export function CorrectSentence() {
  const sentences = useCorrecting()?.record.sentences ?? []
  return (
    <CorrectOne
      what="sentence"
      part="Summary"
      ofWhole={[
        ...sentences.map(({ number, text }) => ({ label: text, of: { sentence: number } })),
        ...sentenceTopics.flatMap((topic, nth) =>
          sentences.some(({ number }) => number === nth + 1)
            ? []
            : { label: `Not in the summary: ${topic}`, of: { sentence: nth + 1 } },
        ),
      ]}
    />
  )
}

/** At the foot of a part of the record. `places`: the part has times to clear of buildings and floors. */
export function CorrectFigure({ part, figures, places }: { part: string; figures: RecordFigure[]; places?: true }) {
  const record = useCorrecting()?.record
  const say = useSay()
  return (
    <CorrectOne
      what="figure"
      part={part}
      ofWhole={figures.map((figure) => ({ label: say(recordFigures[figure]), of: { figure } }))}
      ofPlaces={places && record ? placesOf(record) : []}
    />
  )
}

const placesOf = ({ buildings, floors: { rows }, ...record }: EventRecord): Choice[] => {
  const after = sayOfRecord(record)(recordFigures.clear_after)
  const clear = (place: PlaceUid, name: string): Choice => ({
    label: `${name}: ${after}`,
    of: { figure: 'clear_after', place },
  })
  return [
    ...buildings.map(({ id, name }) => clear(id, name)),
    ...rows
      .map(({ id, name, building_name }) => clear(id, `${building_name}, ${name}`))
      .toSorted((a, b) => a.label.localeCompare(b.label, 'en-AU', { numeric: true })),
  ]
}

interface CorrectOneProps {
  what: 'sentence' | 'figure'
  part: string
  /** What needs reach of all buildings. */
  ofWhole: Choice[]
  ofPlaces?: Choice[]
}

/** Nothing where there is nothing to correct. Administrators read. */
function CorrectOne({ what, part, ofWhole, ofPlaces = [] }: CorrectOneProps) {
  const correcting = useCorrecting()
  const [isOpen, setOpen] = useState(false)
  const [nth, setNth] = useState('0')
  const choices = [...(correcting?.whole ? ofWhole : []), ...ofPlaces]
  const [first] = choices
  if (!correcting || !first || isConsole()) return null
  return (
    <div>
      <CorrectButton label={`Correct a ${what}`} about={part} onPress={() => setOpen(true)} />
      {isOpen && (
        <CorrectionDialog
          title={`Correct a ${what}`}
          event={correcting.event}
          of={(choices[Number(nth)] ?? first).of}
          onClose={() => setOpen(false)}
        >
          <SelectField
            label={what === 'figure' ? 'Figure' : 'Sentence'}
            value={nth}
            options={choices.map(({ label }, at) => ({ value: `${at}`, label }))}
            onChange={setNth}
          />
        </CorrectionDialog>
      )}
    </div>
  )
}

/** What a correction is of, for a list of all of them. */
export function correctedWords(
  body: Body<'correction'>,
  { sentences, buildings, floors, ...record }: EventRecord,
): string {
  if ('sentence' in body)
    return sentences.find(({ number }) => number === body.sentence)?.text ?? sentenceTopics[body.sentence - 1] ?? ''
  if ('entry' in body) return 'An entry of the timeline'
  const figure = sayOfRecord(record)(recordFigures[body.figure])
  if (body.place === undefined) return figure
  const floor = floors.rows.find(({ id }) => id === body.place)
  const place = floor ? `${floor.building_name}, ${floor.name}` : buildings.find(({ id }) => id === body.place)?.name
  return [place, figure].filter(Boolean).join(': ')
}
