import { createContext, useContext } from 'react'
import type { EventUid, PlaceUid } from '#kernel/ids.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { RecordFigure } from '../../kinds.ts'
import type { Addition, Body } from '../../standing.ts'
import type { Times } from '../../times.ts'
import { AddedBy } from './added-by.tsx'

/** What a correction is of, without its words. */
export type Corrected = { entry: string } | { sentence: number } | { figure: RecordFigure; place?: PlaceUid }

interface Correcting {
  event: EventUid
  record: EventRecord
  corrections: readonly Addition<'correction'>[]
  times: Times
  /** The reader reaches all buildings of the event. */
  whole: boolean
}
const CorrectingContext = createContext<Correcting | null>(null)
/** The corrections of the record, for the sentences and figures below. */
export const CorrectionsProvider = CorrectingContext.Provider
export const useCorrecting = () => useContext(CorrectingContext)

function isOf(body: Body<'correction'>, of: Corrected): boolean {
  if ('entry' in of) return 'entry' in body && body.entry === of.entry
  if ('sentence' in of) return 'sentence' in body && body.sentence === of.sentence
  return 'figure' in body && body.figure === of.figure && body.place === of.place
}

interface CorrectionsOfProps {
  of: Corrected
  /** Of what, where they do not stand right under it. */
  name?: string
  corrections: readonly Addition<'correction'>[]
  times: Times
}

/** What corrects something stands under it. */
export const CorrectionsOf = ({ of, name, corrections, times }: CorrectionsOfProps) =>
  corrections
    .filter(({ body }) => isOf(body, of))
    .map((correction) => (
      <div key={correction.uid} className="rec-after rec-corrected">
        <p className="rec-words">
          <strong>Correction{name && ` of ${name}`}:</strong> {correction.body.text}
        </p>
        <AddedBy addition={correction} times={times} />
      </div>
    ))

/** The same for a sentence or a figure of the page. */
export function CorrectionsHere({ of, name }: Pick<CorrectionsOfProps, 'of' | 'name'>) {
  const correcting = useCorrecting()
  return correcting && <CorrectionsOf of={of} {...(name && { name })} {...correcting} />
}
