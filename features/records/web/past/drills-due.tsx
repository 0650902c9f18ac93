import { useQuery } from '@tanstack/react-query'
import { CalendarCheck, CalendarClock, CircleAlert, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '#web/lib/time/dates.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { Button } from '#web/ui/button.tsx'
import type { DrillDue } from '../../calls/records.ts'
import { drillsDueQuery } from '../parts/records.data.ts'

const first = 3

const days = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`

function dueWords(due_in: number | null): string {
  if (due_in === null) return 'Never drilled'
  if (due_in < 0) return `Overdue by ${days(-due_in)}`
  return `Due in ${days(due_in)}`
}

function look(due_in: number | null): { icon: LucideIcon; ink: string } {
  if (due_in === null || due_in < 0) return { icon: CircleAlert, ink: 'text-danger-ink' }
  return due_in <= 30 ? { icon: CalendarClock, ink: 'text-warning-ink' } : { icon: CalendarCheck, ink: 'text-muted' }
}

/** When each building, or each of its shifts, is to be drilled next. */
export function DrillsDue() {
  const { data } = useQuery(drillsDueQuery)
  const [isWhole, setWhole] = useState(false)
  const isWide = useIsWide()
  if (!data || data.due.length === 0) return null
  const { drills, unannounced } = data.unannounced
  const overdue = data.due.filter(({ due_in }) => due_in === null || due_in < 0).length
  const list = (
    <>
      <ul className="grid grid-cols-1 gap-2">
        {data.due.slice(0, isWhole ? undefined : first).map((due) => (
          <Due key={`${due.building} ${due.shift} ${due.action}`} due={due} />
        ))}
      </ul>
      {data.due.length > first && (
        <Button variant="outline" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${data.due.length}`}
        </Button>
      )}
      <p className="text-sm text-muted">
        {drills === 0
          ? 'No drill in the last 12 months.'
          : `${unannounced} of ${drills} ${drills === 1 ? 'drill' : 'drills'} in the last 12 months ${drills === 1 || unannounced === 1 ? 'was' : 'were'} unannounced.`}
      </p>
    </>
  )
  return isWide ? (
    <section aria-labelledby="drills-due" className="card grid grid-cols-1 gap-2">
      <h2 id="drills-due" className="text-lg font-bold">
        Drills due
      </h2>
      {list}
    </section>
  ) : (
    <section aria-label="Drills due" className="card rec-due">
      <details>
        <summary className="rec-unfold">
          Drills due
          {overdue > 0 && <span className="text-danger-ink"> ({overdue} overdue or never drilled)</span>}
        </summary>
        <div className="grid grid-cols-1 gap-2 pb-2">{list}</div>
      </details>
    </section>
  )
}

/** 'Lockdown: never drilled'. */
const withAction = (action: string | undefined, words: string) =>
  action ? `${action}: ${words.charAt(0).toLowerCase()}${words.slice(1)}` : words

function Due({ due: { name, site, shift, last, due_in, action } }: { due: DrillDue }) {
  const { icon: Icon, ink } = look(due_in)
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden size={20} className={`mt-0.5 shrink-0 ${ink}`} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{withAction(action, dueWords(due_in))}</p>
        <p className="text-sm text-muted">
          {name}, {site}
          {shift && `, ${shift}`}
          {last && `. Last on ${formatDate(last)}`}
        </p>
      </div>
    </li>
  )
}
