import type { EventRecord } from '@evac/contract/calls/records/record.ts'
import type { EventUid, PlaceUid } from '@evac/contract/ids.ts'
import { type RecordFigure, recordFigures } from '@evac/contract/record-choices.ts'
import { createContext, useContext, useState } from 'react'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { TextArea } from '../../../ui/fields/text-field.tsx'
import { useAddition } from '../parts/records.data.ts'
import { isConsole } from '../parts/side.tsx'
import type { Times } from '../parts/times.ts'
import { AddDialog } from './add-dialog.tsx'
import { AddedBy } from './added.tsx'
import type { Addition, Body } from './bodies.ts'

/** What a correction is of, without its words. */
export type Corrected = { entry: string } | { sentence: number } | { figure: RecordFigure; place?: PlaceUid }

interface Correcting {
  event: EventUid
  record: EventRecord
  corrections: readonly Addition<'correction'>[]
  times: Times
  /** The reader reaches all buildings of the event (AAR-45). */
  whole: boolean
}
const CorrectingContext = createContext<Correcting | null>(null)
/** The corrections of the record, for the sentences and figures below. */
export const CorrectionsProvider = CorrectingContext.Provider

const isOf = (body: Body<'correction'>, of: Corrected) =>
  'entry' in of
    ? 'entry' in body && body.entry === of.entry
    : 'sentence' in of
      ? 'sentence' in body && body.sentence === of.sentence
      : 'figure' in body && body.figure === of.figure && body.place === of.place

interface CorrectionsOfProps {
  of: Corrected
  corrections: readonly Addition<'correction'>[]
  times: Times
}

/** AAR-35: what corrects something stands under it. */
export const CorrectionsOf = ({ of, corrections, times }: CorrectionsOfProps) =>
  corrections
    .filter(({ body }) => isOf(body, of))
    .map((correction) => (
      <div key={correction.uid} className="rec-after rec-corrected">
        <p className="rec-words">
          <strong>Correction:</strong> {correction.body.text}
        </p>
        <AddedBy addition={correction} times={times} />
      </div>
    ))

/** The same for a sentence or a figure of the page. */
export function CorrectionsHere({ of }: { of: Corrected }) {
  const correcting = useContext(CorrectingContext)
  return correcting && <CorrectionsOf of={of} {...correcting} />
}

/** Beside a sentence. Administrators read (AAR-01). */
export function CorrectSentence({ sentence, words }: { sentence: number; words: string }) {
  const correcting = useContext(CorrectingContext)
  const [isOpen, setOpen] = useState(false)
  if (!correcting?.whole || isConsole()) return null
  return (
    <>
      <CorrectButton label="Correct this" about={words} onPress={() => setOpen(true)} />
      {isOpen && (
        <CorrectionDialog event={correcting.event} of={{ sentence }} words={words} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

interface CorrectButtonProps {
  label: string
  /** What it is about, for screen readers. */
  about: string
  onPress: () => void
}

export const CorrectButton = ({ label, about, onPress }: CorrectButtonProps) => (
  <button type="button" className="rec-evidence whitespace-nowrap" aria-label={`${label}: ${about}`} onClick={onPress}>
    {label}
  </button>
)

interface CorrectionDialogProps {
  event: EventUid
  of: Corrected
  /** What is corrected, as it stands. */
  words: string
  onClose: () => void
}

/** AAR-35: what is corrected stays as it is. */
export function CorrectionDialog({ event, of, words, onClose }: CorrectionDialogProps) {
  const [typed, setTyped] = useState('')
  const { add, busy } = useAddition(event)
  const text = typed.trim()
  return (
    <AddDialog
      title="Correct this"
      busy={busy}
      problem={text === '' ? whatIsRight : null}
      onSave={() => add({ kind: 'correction', body: { ...of, text } }, said)}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p className="rec-words font-semibold">{words}</p>
          <TextArea label="What is right" value={typed} maxLength={1000} onChange={setTyped} error={error} />
        </>
      )}
    </AddDialog>
  )
}
const whatIsRight = 'Write what is right.'
const said = 'The correction has been added.'

/** At the foot of a part of the record. `places`: the part has times to clear of buildings and floors. */
export function CorrectFigure({ part, figures, places }: { part: string; figures: RecordFigure[]; places?: true }) {
  const correcting = useContext(CorrectingContext)
  const [isOpen, setOpen] = useState(false)
  if (!correcting || isConsole()) return null
  const { event, record, whole } = correcting
  const choices = [
    ...(whole ? figures.map((figure) => ({ value: figure as string, label: recordFigures[figure] })) : []),
    ...(places ? placesOf(record) : []),
  ]
  if (choices.length === 0) return null
  return (
    <div>
      <CorrectButton label="Correct a figure" about={part} onPress={() => setOpen(true)} />
      {isOpen && <FigureDialog event={event} choices={choices} onClose={() => setOpen(false)} />}
    </div>
  )
}

const placesOf = ({ buildings, floors: { rows } }: EventRecord) =>
  [
    ...buildings.map(({ id, name }) => ({ value: id as string, label: name })),
    ...rows
      .map(({ id, name, building_name }) => ({ value: id as string, label: `${building_name}, ${name}` }))
      .toSorted((a, b) => a.label.localeCompare(b.label, 'en-AU', { numeric: true })),
  ].map(({ value, label }) => ({ value, label: `${label}: ${recordFigures.clear_after}` }))

interface FigureDialogProps {
  event: EventUid
  /** Figures by their names, and places by their uids. */
  choices: { value: string; label: string }[]
  onClose: () => void
}

function FigureDialog({ event, choices, onClose }: FigureDialogProps) {
  const [chosen, setChosen] = useState(choices[0]?.value ?? '')
  const [typed, setTyped] = useState('')
  const { add, busy } = useAddition(event)
  const text = typed.trim()
  const of: Corrected =
    chosen in recordFigures ? { figure: chosen as RecordFigure } : { figure: 'clear_after', place: chosen as PlaceUid }
  return (
    <AddDialog
      title="Correct a figure"
      busy={busy}
      problem={text === '' ? whatIsRight : null}
      onSave={() => add({ kind: 'correction', body: { ...of, text } }, said)}
      onClose={onClose}
    >
      {(error) => (
        <>
          <SelectField label="Figure" value={chosen} options={choices} onChange={setChosen} />
          <TextArea label="What is right" value={typed} maxLength={1000} onChange={setTyped} error={error} />
        </>
      )}
    </AddDialog>
  )
}

/** What a correction is of, for a list of all of them. */
export function correctedWords(body: Body<'correction'>, { sentences, ...record }: EventRecord): string {
  if ('sentence' in body) return sentences.find(({ number }) => number === body.sentence)?.text ?? 'A sentence'
  if ('entry' in body) return 'An entry of the timeline'
  if (body.place === undefined) return recordFigures[body.figure]
  const { buildings, floors } = record
  const floor = floors.rows.find(({ id }) => id === body.place)
  const place = floor ? `${floor.building_name}, ${floor.name}` : buildings.find(({ id }) => id === body.place)?.name
  return [place, recordFigures[body.figure]].filter(Boolean).join(': ')
}
