import { CircleCheck, CircleHelp, type LucideIcon, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { FloorAhead } from '../calls/coverage-ahead.ts'
import { AskSheet } from './ask-sheet.tsx'

interface FloorsAheadProps {
  floors: readonly FloorAhead[]
  day: string
  building: string
  mayAsk: boolean
}

/** The floors of a building with who has them that day, and 'Ask' where no one has one. */
export function FloorsAhead({ floors, day, building, mayAsk }: FloorsAheadProps) {
  const [asking, setAsking] = useState<FloorAhead>()
  return (
    <>
      <ul className="grid grid-cols-1 divide-y divide-hairline">
        {floors.map((floor) => {
          const { word, icon: Icon, ink } = stateOf(floor)
          return (
            <li key={floor.id} className="flex min-h-14 items-center gap-3 py-1.5">
              <Icon aria-hidden size={22} className={`shrink-0 ${ink}`} />
              <div className="min-w-0 flex-1">
                <p className="leading-snug font-semibold">{floor.name}</p>
                <p className="leading-snug wrap-anywhere text-muted">
                  {word}
                  {floor.offered > 0 && floor.wardens.length > 0 && `, ${floor.offered} asked`}
                </p>
              </div>
              {mayAsk && floor.wardens.length === 0 && (
                <Button
                  variant="outline"
                  aria-label={`Ask for ${building}, ${floor.name}`}
                  onClick={() => setAsking(floor)}
                >
                  Ask
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {asking && (
        <AskSheet
          key={`${asking.id} ${day}`}
          floor={asking}
          building={building}
          day={day}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

interface State {
  word: string
  icon: LucideIcon
  ink: string
}

/** Each state has an icon and a word. */
function stateOf({ wardens, offered }: FloorAhead): State {
  if (wardens.length > 0) return { word: wardens.join(', '), icon: CircleCheck, ink: 'text-safe' }
  if (offered > 0) return { word: `Asked, ${offered}`, icon: CircleHelp, ink: 'text-warning-ink' }
  return { word: 'No warden', icon: ShieldAlert, ink: 'text-danger-ink' }
}
