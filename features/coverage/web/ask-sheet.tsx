import { useQuery } from '@tanstack/react-query'
import { Button } from '#web/ui/button.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { FloorAhead } from '../calls/coverage-ahead.ts'
import { longDay } from './day-words.ts'
import { askableQuery, useAskForDay } from './days-ahead.data.ts'

interface AskSheetProps {
  floor: FloorAhead
  building: string
  day: string
  onClose: () => void
}

/** Who may take the floor on that day, the likeliest first. One tap asks. */
export function AskSheet({ floor, building, day, onClose }: AskSheetProps) {
  const read = useQuery(askableQuery(floor.id, day))
  const { ask, busyWith } = useAskForDay(floor.id, day)
  return (
    <BottomSheet open onClose={onClose} title={`${building}, ${floor.name}`}>
      <p className="text-muted">{longDay(day)}. They are told by email or text, and answer on their card.</p>
      <WhenRead read={read} parts={['line', 'line']}>
        {({ people }) =>
          people.length === 0 ? (
            <p className="py-4">No one at this site can be asked.</p>
          ) : (
            <ul className="grid grid-cols-1 divide-y divide-hairline">
              {people.map(({ person, name, role, why, asked }) => (
                <li key={person} className="flex min-h-16 items-center gap-3 py-2">
                  <div className="min-w-0 flex-1">
                    <p className="leading-snug font-semibold wrap-anywhere">{name}</p>
                    <p className="leading-snug text-muted">
                      {role}. {why}
                    </p>
                  </div>
                  {asked ? (
                    <span className="shrink-0 font-semibold text-muted">Already asked.</span>
                  ) : (
                    <Button busy={busyWith === person} aria-label={`Ask ${name}`} onClick={() => ask(person, name)}>
                      Ask
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </WhenRead>
    </BottomSheet>
  )
}
