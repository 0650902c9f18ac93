import type { ReactNode } from 'react'
import type { RecordAddition } from '../../calls/additions.ts'
import type { Times } from '../../times.ts'
import { bySignOff } from '../parts/bodies.ts'

/** What every list of additions needs. */
export interface AdditionsProps {
  additions: readonly RecordAddition[]
  times: Times
}

interface AddedListProps<A> {
  /** The name of the list. */
  label: string
  of: readonly A[]
  /** All additions of the record, for its sign-offs. */
  additions: readonly RecordAddition[]
  children: (addition: A) => ReactNode
}

/** Additions in their order, the later ones under the sign-off that they follow. */
export function AddedList<A extends { uid: string; recorded_at: string }>(props: AddedListProps<A>) {
  const { label, of, additions, children } = props
  return bySignOff(of, additions).map(({ after, additions: part }) => (
    <div key={part[0]?.uid} className={after ? 'rec-after grid grid-cols-1 gap-2' : 'grid grid-cols-1 gap-2'}>
      {after && <h3 className="font-semibold">After the sign-off of {after.by}</h3>}
      <ul aria-label={after ? `${label} after the sign-off of ${after.by}` : label} className="grid grid-cols-1 gap-3">
        {part.map((addition) => (
          <li key={addition.uid}>{children(addition)}</li>
        ))}
      </ul>
    </div>
  ))
}
