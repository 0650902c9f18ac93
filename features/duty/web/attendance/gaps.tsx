import { ArrowDown, CircleCheck, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '#web/lib/counts.ts'
import type { FloorGap } from '../../calls/attendance.ts'
import { coverageLook } from './floor-group.tsx'

/** More would push the rest of the page too far down, so that they stand folded by building. */
const mostUnfolded = 24

interface GapsProps {
  gaps: readonly FloorGap[]
  /** The event has more than one building. */
  many: boolean
  onJump: (gap: FloorGap) => void
  /** Below the number. */
  children: ReactNode
}

/** What an event manager has to act on, before everything else: floors where no one is on duty. */
export function Gaps({ gaps, many, onJump, children }: GapsProps) {
  const isFolded = gaps.length > mostUnfolded
  const byBuilding = [...Map.groupBy(gaps, ({ building }) => building.id).values()]
  return (
    <section
      aria-label="Floors without a warden on duty"
      className={`card grid grid-cols-1 gap-3 ${gaps.length > 0 ? 'border-2 border-danger' : ''}`}
    >
      <div className="flex items-center gap-3">
        {gaps.length > 0 ? (
          <ShieldAlert aria-hidden className="shrink-0 text-danger-ink" />
        ) : (
          <CircleCheck aria-hidden className="shrink-0 text-safe" />
        )}
        <div className="min-w-0">
          {many && <h2 className="leading-snug text-muted">All buildings</h2>}
          <p role="status" className="text-lg leading-snug font-bold">
            {sentenceOf(gaps.length)}
          </p>
        </div>
      </div>
      {children}
      {byBuilding.map((floors) => (
        <BuildingGaps
          key={floors[0]?.building.id}
          floors={floors}
          named={many || isFolded}
          open={!isFolded}
          onJump={onJump}
        />
      ))}
    </section>
  )
}

function sentenceOf(count: number): string {
  if (count === 0) return 'Every floor has a warden on duty'
  return count === 1 ? '1 floor without a warden on duty' : `${formatCount(count)} floors without a warden on duty`
}

interface BuildingGapsProps {
  floors: readonly FloorGap[]
  named: boolean
  open: boolean
  onJump: (gap: FloorGap) => void
}

function BuildingGaps({ floors, named, open, onJump }: BuildingGapsProps) {
  const list = (
    <ul className="flex flex-wrap gap-2">
      {floors.map((gap) => (
        <li key={gap.id} className="max-w-full">
          <JumpButton gap={gap} named={named} onPress={() => onJump(gap)} />
        </li>
      ))}
    </ul>
  )
  if (!named) return list
  return (
    <details open={open}>
      <summary className="py-3 font-bold">
        {floors[0]?.building.name} <span className="text-muted">{floors.length}</span>
      </summary>
      {list}
    </details>
  )
}

interface JumpButtonProps {
  gap: FloorGap
  named: boolean
  onPress: () => void
}

function JumpButton({ gap: { name, building, colour, status }, named, onPress }: JumpButtonProps) {
  const Icon = coverageLook[colour].icon
  return (
    <button
      type="button"
      aria-label={`${named ? `${building.name} - ` : ''}${name}: ${status}`}
      className="btn max-w-full border-line px-3 text-left text-link"
      onClick={onPress}
    >
      <Icon aria-hidden size={20} className="shrink-0" />
      <span className="min-w-0">{name}</span>
      <ArrowDown aria-hidden size={18} className="shrink-0" />
    </button>
  )
}
