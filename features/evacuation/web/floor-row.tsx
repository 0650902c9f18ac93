import { ChevronDown, Flag } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { type SafetyStatus, safetyStatuses, statusShortLabel } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { type Say, useSayIn } from '#web/live/response.ts'
import type { FloorStatus } from '../calls/evacuation.ts'
import type { CountedFloor, FloorlessCount } from '../calls/floor-overview.ts'
import { floorColour } from './floor-colours.ts'
import { honestName, UnresolvedMark, worstLeft } from './unresolved.tsx'

interface RowProps {
  open: boolean
  onToggle: () => void
  /** The people of the row, rendered while it is open. */
  children: ReactNode
}
interface FloorRowProps extends RowProps {
  floor: CountedFloor
  status: FloorStatus | undefined
}

export function FloorRow({ floor, status, ...row }: FloorRowProps) {
  const say = useSayIn(floor.building.id)
  const worst = worstLeft(status, floor.stats)
  const stripe = worst ? statusLook[worst].edge : `border-l-8 ${floorColour(status?.label.colour).stripe}`
  const state = (
    <span className="flex min-w-0 items-center gap-1.5 font-semibold">
      {worst && <UnresolvedMark worst={worst} />}
      <span>{say(honestName(status, floor.stats))}</span>
    </span>
  )
  return <OpeningRow name={floor.name} state={state} count={floor} stripe={stripe} say={say} {...row} />
}

/** The people of a building who are on none of its floors. */
export function FloorlessRow({ count, ...row }: RowProps & { count: FloorlessCount }) {
  const say = useSayIn(count.building.id)
  return <OpeningRow name="Not on a floor" count={count} stripe="border-l-8 border-l-line" say={say} {...row} />
}

interface OpeningRowProps extends RowProps {
  say: Say
  name: string
  state?: ReactNode
  count: Pick<CountedFloor, 'stats' | 'refusals'>
  stripe: string
}

/** A press shows its people. */
function OpeningRow({ say, name, state, count, stripe, open, onToggle, children }: OpeningRowProps) {
  const bodyId = useId()
  return (
    <li className={`rounded-2xl border border-hairline bg-surface ${open ? 'col-span-full' : ''} ${stripe}`}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        className="grid w-full grid-cols-1 gap-1 rounded-2xl p-3 text-left"
        onClick={onToggle}
      >
        <span className="flex items-start gap-2">
          <span className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2">
            <span className="min-w-fit flex-1 text-lg leading-snug font-bold">{name}</span>
            {state}
          </span>
          <ChevronDown aria-hidden className={`shrink-0 transition-transform ${open ? 'rotate-180' : ''}`} />
        </span>
        <Counters count={count} say={say} />
      </button>
      {open && (
        <div id={bodyId} className="grid grid-cols-1 gap-3 p-2">
          {children}
        </div>
      )}
    </li>
  )
}

function Counters({ count: { stats, refusals }, say }: Pick<OpeningRowProps, 'count' | 'say'>) {
  return (
    <span className="flex flex-wrap items-center gap-2 tabular-nums">
      {safetyStatuses.map((status) => (
        <Counter key={status} status={status} count={stats[status]} say={say} />
      ))}
      <span>{`Total ${stats.total}`}</span>
      {refusals > 0 && (
        <span className="flex items-center gap-1 font-bold text-danger-ink">
          <Flag aria-hidden size={18} className="shrink-0" />
          <span>{`${say('Refusals')} ${refusals}`}</span>
        </span>
      )}
    </span>
  )
}

/** Coloured only above zero, so that zeros do not draw attention. */
function Counter({ status, count, say }: { status: SafetyStatus; count: number; say: Say }) {
  const { icon: Icon, className } = statusLook[status]
  return (
    <span className={`flex items-center gap-1 rounded-full px-2 ${count > 0 ? className : 'text-muted'}`}>
      <Icon aria-hidden size={18} className="shrink-0" />
      <span className="text-sm">{say(statusShortLabel[status])}</span> <strong>{count}</strong>
    </span>
  )
}
