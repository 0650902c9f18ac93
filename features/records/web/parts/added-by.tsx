import type { RecordAddition } from '../../calls/additions.ts'
import type { Times } from '../../times.ts'

interface AddedByProps {
  addition: Pick<RecordAddition, 'by' | 'role' | 'observed_at' | 'recorded_at'>
  times: Times
}

/** Who added it and when, and when it was seen where that is told. */
export function AddedBy({ addition: { by, role, observed_at, recorded_at }, times }: AddedByProps) {
  return (
    <p className="text-sm font-normal text-muted tabular-nums">
      {by}
      {role && ` (${role})`}, {times.moment(recorded_at)}
      {observed_at && `, seen ${times.short(observed_at)}`}
    </p>
  )
}
