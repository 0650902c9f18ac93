import { TriangleAlert } from 'lucide-react'
import { formatMoment } from '../lib/time/server-clock.ts'

interface AsOfProps {
  /** When the answer on screen arrived. 0 if there is none. */
  at: number
  /** True if the screen may no longer be current. */
  stale?: boolean
  /** The time in words, where it is not that of this device or of the running event. */
  said?: string
}

/** 'as of 14:03:22', shown on every list. Becomes a warning when the list is stale. */
export function AsOf({ at, stale = false, said }: AsOfProps) {
  if (at === 0) return null
  return (
    <p className={`flex items-center gap-1.5 text-sm ${stale ? 'font-bold text-warning-ink' : 'text-muted'}`}>
      {stale && <TriangleAlert aria-hidden size={18} className="shrink-0" />}
      <span>
        <span>{stale ? 'Not up to date, as of ' : 'as of '}</span>
        <time dateTime={new Date(at).toISOString()} className="tabular-nums">
          {said ?? formatMoment(at)}
        </time>
      </span>
    </p>
  )
}
