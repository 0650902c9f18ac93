import { useQuery } from '@tanstack/react-query'
import { CalendarCheck, CalendarX, ShieldAlert } from 'lucide-react'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { NearFloor, OwnDay } from '../calls/coverage-ahead.ts'
import { longDay, shortDay } from './day-words.ts'
import { ownDaysQuery, useOwnDay, useTakeForDay } from './days-ahead.data.ts'

/** The own days, and floors near the own ones that no one has. */
export function MyDaysScreen() {
  const read = useQuery(ownDaysQuery)
  return (
    <Page>
      <WhenRead read={read} parts={['line', 'line', 'line', 'line']}>
        {({ days, near }) => (
          <>
            {near.length > 0 && <Near floors={near} today={days[0]?.day} />}
            <Days days={days} />
            <AsOf at={read.dataUpdatedAt} stale={read.isRefetchError} />
          </>
        )}
      </WhenRead>
    </Page>
  )
}

function Near({ floors, today }: { floors: readonly NearFloor[]; today: string | undefined }) {
  const { take, isTaking } = useTakeForDay()
  return (
    <section aria-labelledby="near" className="card grid grid-cols-1 gap-2 border-l-8 border-l-danger">
      <h2 id="near" className="flex items-start gap-2 text-lg leading-snug font-bold">
        <ShieldAlert aria-hidden className="shrink-0 text-danger-ink" />
        Floors near yours without a warden
      </h2>
      <ul className="grid grid-cols-1 divide-y divide-hairline">
        {floors.map((floor) => (
          <li key={floor.id + floor.day} className="flex min-h-16 items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="leading-snug font-semibold wrap-anywhere">
                {floor.building}, {floor.name}
              </p>
              <p className="text-muted">{floor.day === today ? 'Today' : 'Tomorrow'}</p>
            </div>
            <Button
              busy={isTaking(floor)}
              aria-label={`I can take it: ${floor.building}, ${floor.name}, ${floor.day === today ? 'today' : 'tomorrow'}`}
              onClick={() => take(floor)}
            >
              I can take it
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Days({ days }: { days: readonly OwnDay[] }) {
  const { set, busyWith } = useOwnDay()
  if (days.length === 0) return <p className="py-8 text-center text-lg text-muted">Nothing here.</p>
  return (
    <section aria-label="My Days" className="grid grid-cols-1 gap-2 wide:grid-cols-2">
      {days.map((day, n) => (
        <Day
          key={day.day}
          day={day}
          name={n === 0 ? 'Today' : shortDay(day.day)}
          isBusy={busyWith === day.day}
          onSet={(isIn) => set(day.day, isIn, `${longDay(day.day)}: ${isIn ? 'In' : 'Not in'}`)}
        />
      ))}
    </section>
  )
}

interface DayProps {
  day: OwnDay
  name: string
  isBusy: boolean
  onSet: (isIn: boolean) => void
}

/** A day without an assignment has no buttons. */
function Day({ day: { day, in: isIn, places }, name, isBusy, onSet }: DayProps) {
  const choices = [
    { isIn: true, word: 'In', icon: CalendarCheck, chosen: 'bg-green text-on-green' },
    { isIn: false, word: 'Not in', icon: CalendarX, chosen: 'bg-orange text-on-orange' },
  ]
  return (
    <fieldset className="card flex flex-wrap items-center gap-x-3 gap-y-2">
      <legend className="sr-only">{longDay(day)}</legend>
      <div className="min-w-0 flex-[1_1_6rem]">
        <p className="font-bold tabular-nums">{name}</p>
        <p className="text-sm leading-snug wrap-anywhere text-muted">{places.join(', ') || 'No assignment'}</p>
      </div>
      {places.length > 0 && (
        <div className="flex gap-2">
          {choices.map(({ isIn: value, word, icon: Icon, chosen }) => (
            <button
              key={word}
              type="button"
              aria-pressed={value === isIn}
              aria-busy={isBusy || undefined}
              className={`btn min-w-20 px-3 ${value === isIn ? chosen : 'border-line text-ink'}`}
              onClick={() => value !== isIn && !isBusy && onSet(value)}
            >
              <Icon aria-hidden size={20} className="shrink-0" />
              {word}
            </button>
          ))}
        </div>
      )}
    </fieldset>
  )
}
