import { durationOf } from '@evac/contract/record-figures.ts'
import type { ReactNode } from 'react'
import { None } from './none.tsx'

/** Figures with their names, side by side. */
export const Figures = ({ children }: { children: ReactNode }) => <dl className="rec-figures">{children}</dl>

export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A duration, or why there is none (AAR-06). */
export const Lasted = ({ seconds, why }: { seconds: number | null; why: string }) =>
  seconds === null ? <None why={why} /> : durationOf(seconds)
