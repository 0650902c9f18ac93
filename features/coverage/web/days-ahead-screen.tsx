import { useQuery } from '@tanstack/react-query'
import { CircleCheck, ShieldAlert } from 'lucide-react'
import { formatCount } from '#web/lib/counts.ts'
import { navigate } from '#web/pages/navigate.ts'
import { useOwnSearch } from '#web/pages/own-search.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { CoverageAhead } from '../calls/coverage-ahead.ts'
import { longDay, shortDay } from './day-words.ts'
import { aheadQuery } from './days-ahead.data.ts'
import { FloorsAhead } from './floors-ahead.tsx'

/** Which floors of the site have a warden today and in the next seven days. */
export function DaysAheadScreen() {
  const asked = new URLSearchParams(useOwnSearch()).get('day') ?? undefined
  const read = useQuery(aheadQuery(asked))
  return (
    <Page>
      <WhenRead read={read} parts={['counters', 'line', 'line', 'line']}>
        {(coverage) => (
          <>
            <Days coverage={coverage} />
            <Said coverage={coverage} />
            <AsOf at={read.dataUpdatedAt} stale={read.isRefetchError} />
            <Floors coverage={coverage} isOld={read.isPlaceholderData} />
          </>
        )}
      </WhenRead>
    </Page>
  )
}

/** The days as buttons, each with its floors without a warden. */
function Days({ coverage: { day, days } }: { coverage: CoverageAhead }) {
  return (
    <nav aria-label="Days" className="grid grid-cols-4 gap-2 wide:grid-cols-8">
      {days.map((one, n) => (
        <button
          key={one.day}
          type="button"
          aria-current={one.day === day ? 'date' : undefined}
          className={`btn min-h-16 flex-col gap-0 px-1 py-1 text-center leading-tight ${one.day === day ? 'border-2 border-link bg-raised' : 'border-line'}`}
          onClick={() => navigate(`/coverage?day=${one.day}`, { replace: true })}
        >
          <span className="text-sm">{n === 0 ? 'Today' : shortDay(one.day)}</span>
          <span className="flex items-center gap-1 text-lg tabular-nums">
            {one.without === 0 ? (
              <CircleCheck aria-hidden size={18} className="text-safe" />
            ) : (
              <ShieldAlert aria-hidden size={18} className="text-danger-ink" />
            )}
            {formatCount(one.without)}
            <span className="sr-only"> without a warden</span>
          </span>
        </button>
      ))}
    </nav>
  )
}

function Said({ coverage: { day, days, has_floor_wardens: has } }: { coverage: CoverageAhead }) {
  const without = days.find((one) => one.day === day)?.without ?? 0
  const on = day === days[0]?.day ? 'today' : `on ${longDay(day)}`
  return (
    <div className={`card grid gap-1 ${without > 0 ? 'border-l-8 border-l-danger' : 'border-l-8 border-l-green'}`}>
      <p role="status" className="flex items-start gap-2 text-lg leading-snug font-bold">
        {without > 0 ? (
          <ShieldAlert aria-hidden className="shrink-0 text-danger-ink" />
        ) : (
          <CircleCheck aria-hidden className="shrink-0 text-safe" />
        )}
        {has ? sentenceOf(without, on) : 'No floor has a warden of its own.'}
      </p>
      <p className="text-muted">Accepted is not the same as present.</p>
    </div>
  )
}

function sentenceOf(without: number, on: string): string {
  if (without === 0) return 'Every floor has a warden.'
  return without === 1 ? `1 floor has no warden ${on}.` : `${formatCount(without)} floors have no warden ${on}.`
}

function Floors({ coverage: { buildings, day }, isOld }: { coverage: CoverageAhead; isOld: boolean }) {
  const mayAsk = useAuth()?.module_access.Module_Event_Management === true
  return (
    <div className={`cards items-start gap-4 ${isOld ? 'opacity-60' : ''}`} aria-busy={isOld || undefined}>
      {buildings.map(({ id, name, floors }) => (
        <section key={id} aria-labelledby={`ahead-${id}`} className="card grid grid-cols-1 gap-2">
          <h2 id={`ahead-${id}`} className="text-lg leading-snug font-bold">
            {name}
          </h2>
          <FloorsAhead floors={floors} day={day} building={name} mayAsk={mayAsk} />
        </section>
      ))}
    </div>
  )
}
