import { Users } from 'lucide-react'
import { type Display, displays } from '#kernel/kinds.ts'
import { type StatusTotals, statusShortLabel } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { useSayTotal } from '#web/live/response.ts'
import { CountersSaid } from '#web/ui/counters-said.tsx'

interface DisplayBarProps {
  /** Undefined while they are not known. */
  counts: StatusTotals | undefined
  display: Display
  onChange: (display: Display) => void
}
const words: Record<Display, string> = { ...statusShortLabel, all: 'All' }
export const countOf = (counts: StatusTotals, display: Display) => counts[display === 'all' ? 'total' : display]

/** How many are what, and whom the list shows. */
export function DisplayBar({ counts, display, onChange }: DisplayBarProps) {
  const say = useSayTotal()
  return (
    <>
      <CountersSaid counters={counts && displays.map((one) => [say(words[one]), countOf(counts, one)])} />
      <fieldset
        aria-label="Display"
        className="grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-1 rounded-xl border border-hairline p-1"
      >
        {displays.map((one) => (
          <DisplayButton
            key={one}
            display={one}
            count={counts && countOf(counts, one)}
            word={say(words[one])}
            pressed={one === display}
            onPress={() => onChange(one)}
          />
        ))}
      </fieldset>
    </>
  )
}

interface DisplayButtonProps {
  display: Display
  count: number | undefined
  word: string
  pressed: boolean
  onPress: () => void
}

function DisplayButton({ display, count, word, pressed, onPress }: DisplayButtonProps) {
  const look = display === 'all' ? undefined : statusLook[display]
  const Icon = look?.icon ?? Users
  const chosen = look?.className ?? 'bg-link text-canvas'
  return (
    <button
      type="button"
      aria-pressed={pressed}
      data-display={display}
      className={`btn min-h-17 min-w-0 flex-col gap-1 px-1 py-1 ${pressed ? `${chosen} forced-colors:bg-[Highlight]` : 'bg-raised text-ink'}`}
      onClick={onPress}
    >
      <span className="flex items-center gap-1 text-lg tabular-nums">
        <Icon aria-hidden size={18} className="shrink-0" />
        <span>{count ?? '–'}</span>
      </span>
      <span className="text-sm">{word}</span>
    </button>
  )
}
