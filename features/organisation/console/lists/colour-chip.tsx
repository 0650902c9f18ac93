import type { ReactNode } from 'react'
import { inkOn } from './ink-on.ts'

const named: Record<string, string> = {
  green: 'bg-green text-on-green',
  yellow: 'bg-yellow text-on-yellow',
  red: 'bg-red text-on-red',
  orange: 'bg-orange text-on-orange',
  grey: 'bg-grey text-on-grey',
  blue: 'bg-blue text-on-blue',
}

/** The colour of a status with its name on it. */
export function ColourChip({ colour, children }: { colour: string; children: ReactNode }) {
  const look = named[colour]
  return (
    <span
      className={`inline-block rounded-full border border-hairline px-3 py-0.5 font-semibold ${look ?? ''}`}
      style={look ? undefined : { background: colour, color: inkOn(colour) }}
    >
      {children}
    </span>
  )
}
