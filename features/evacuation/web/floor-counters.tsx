import { Accessibility, type LucideIcon } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { type SafetyStatus, type StatusTotals, withTotal } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { barFact } from '#web/live/bar-fact.ts'
import { keepInView } from '#web/live/keep-in-view.ts'
import type { Say } from '#web/live/response.ts'
import type { PendingByPerson } from '#web/outbox/outbox-overlay.ts'
import { CountersSaid } from '#web/ui/counters-said.tsx'
import type { Occupant } from '../calls/evacuation.ts'
import type { FloorFilter } from './floor-evacuation.data.ts'

type Counter = Exclude<FloorFilter, 'unresolved'>
const looks: readonly [counter: Counter, label: string, look: { icon: LucideIcon; className: string }][] = [
  ['unknown', 'Unknown', statusLook.unknown],
  ['danger', 'In danger', statusLook.danger],
  ['safe', 'Safe', statusLook.safe],
  ['peep', 'PEEP', { icon: Accessibility, className: 'bg-blue text-on-blue' }],
]

/** Both counters are pressed after 'Show them'. A press on one leaves the other. */
const unresolved: Partial<Record<Counter, Counter>> = { unknown: 'danger', danger: 'unknown' }

interface FloorCountersProps {
  say: Say
  counts: StatusTotals | undefined
  peeps: number | undefined
  filter: FloorFilter | null
  onFilter: (filter: FloorFilter | null) => void
}

/** The people of the floor by status. A press shows only these, a second one shows all. */
export function FloorCounters({ say, counts, peeps, filter, onFilter }: FloorCountersProps) {
  useBarFact(counts)
  return (
    <fieldset
      ref={keepInView}
      className="pin-below-bar z-10 -mx-3 flex flex-wrap gap-1.5 border-b border-hairline bg-canvas px-3 py-1"
    >
      <legend className="sr-only">People of this floor</legend>
      <CountersSaid
        counters={
          counts && looks.flatMap(([one, label]) => (one === 'peep' ? [] : [[say(label), counts[one]] as const]))
        }
      />
      {looks.map(([one, label, { icon: Icon, className }]) => {
        const count = one === 'peep' ? peeps : counts?.[one]
        const left = filter === 'unresolved' ? unresolved[one] : undefined
        const isOn = filter === one || left !== undefined
        const ink = one === 'danger' && count ? 'text-danger-ink' : ''
        return (
          <button
            key={one}
            type="button"
            aria-pressed={isOn}
            className={`btn min-w-0 flex-1 basis-[4.25rem] flex-col gap-0 px-0 py-1 ${isOn ? className : `bg-raised ${ink}`}`}
            onClick={() => onFilter(isOn ? (left ?? null) : one)}
          >
            <span className="flex items-center gap-1 text-xl leading-tight tabular-nums">
              <Icon aria-hidden size={18} className="shrink-0" />
              <span>{count ?? '–'}</span>
            </span>
            <span className="text-sm leading-tight max-[360px]:text-xs">{say(label)}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** '15 of 75 accounted for' in the bar. */
function useBarFact(counts: StatusTotals | undefined) {
  const fact = counts ? `${counts.total - counts.unknown} of ${counts.total} accounted for` : ''
  useEffect(() => {
    barFact.set(fact)
    return () => barFact.set('')
  }, [fact])
}

/** The counts after a change of one person. */
export function moved(counts: StatusTotals, from: SafetyStatus, to: SafetyStatus): StatusTotals {
  if (from === to) return counts
  return withTotal({ ...counts, [from]: Math.max(0, counts[from] - 1), [to]: counts[to] + 1 })
}

/** The server's counts with the pending records of this phone, as the cards show them. */
export function useCountsWithPending(
  counts: StatusTotals,
  known: readonly Occupant[],
  pending: PendingByPerson,
): StatusTotals {
  return useMemo(
    () => known.reduce((now, { id, status }) => moved(now, status, pending.get(id)?.status?.status ?? status), counts),
    [counts, known, pending],
  )
}
