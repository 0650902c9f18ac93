import type { FloorWardenGroup } from '@evac/contract/calls/attendance.ts'
import { ArrowDown, CircleCheck, ShieldAlert } from 'lucide-react'
import { coverageLook } from './floor-group.tsx'

/** More would push the counters off the screen of a phone. */
const shown = 6

interface UncoveredFloorsProps {
  floors: readonly FloorWardenGroup[]
  onJump: (floor: FloorWardenGroup) => void
}

/** What an event manager has to act on, before everything else: floors where nobody is on duty. */
export function UncoveredFloors({ floors, onJump }: UncoveredFloorsProps) {
  if (floors.length === 0) return null
  const without = floors.filter((floor) => floor.wardens_on_duty_count === 0)
  const more = without.length - shown
  return (
    <section
      aria-label="Floors without a warden on duty"
      className={`card ${without.length ? 'border-2 border-danger' : ''}`}
    >
      <p role="status" className="flex items-center gap-3 text-lg leading-snug font-bold">
        {without.length > 0 ? (
          <ShieldAlert aria-hidden className="shrink-0 text-danger-ink" />
        ) : (
          <CircleCheck aria-hidden className="shrink-0 text-safe" />
        )}
        {sentenceOf(without.length)}
      </p>
      {without.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {without.slice(0, shown).map((floor) => (
            <li key={floor.id} className="max-w-full">
              <JumpButton floor={floor} onPress={() => onJump(floor)} />
            </li>
          ))}
          {more > 0 && <li className="py-3 text-muted">and {more} more below</li>}
        </ul>
      )}
    </section>
  )
}

function sentenceOf(count: number): string {
  if (count === 0) return 'Every floor has a warden on duty'
  return count === 1 ? '1 floor without a warden on duty' : `${count} floors without a warden on duty`
}

function JumpButton({ floor: { name, colour, status }, onPress }: { floor: FloorWardenGroup; onPress: () => void }) {
  const Icon = coverageLook[colour].icon
  return (
    <button
      type="button"
      aria-label={`${name}: ${status}`}
      className="btn max-w-full border-line px-3 text-left text-link"
      onClick={onPress}
    >
      <Icon aria-hidden size={20} className="shrink-0" />
      <span className="min-w-0">{name}</span>
      <ArrowDown aria-hidden size={18} className="shrink-0" />
    </button>
  )
}
