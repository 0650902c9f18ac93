import type { ReactNode } from 'react'
import type { PlaceUid } from '#kernel/ids.ts'
import { durationOf } from '../../figures.ts'
import type { RecordFigure } from '../../kinds.ts'
import { CorrectionsHere } from './corrections.tsx'
import { None } from './none.tsx'

/** Figures with their names, side by side. */
export const Figures = ({ children }: { children: ReactNode }) => <dl className="rec-figures">{children}</dl>

interface FigureProps {
  name: string
  /** By which corrections name it. */
  of?: RecordFigure
  place?: PlaceUid
  children: ReactNode
}

export function Figure({ name, of, place, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {of && <CorrectionsHere of={place ? { figure: of, place } : { figure: of }} />}
      </dd>
    </div>
  )
}

/** A duration, or why there is none. */
export const Lasted = ({ seconds, why }: { seconds: number | null; why: string }) =>
  seconds === null ? <None why={why} /> : durationOf(seconds)
