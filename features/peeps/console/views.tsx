import { useQuery } from '@tanstack/react-query'
import type { PersonUid } from '#kernel/ids.ts'
import { useZone } from '#web/console/me.data.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { planReasonWords } from '../words.ts'
import { type PlanView, viewsQuery } from './plans.data.ts'

/** In an event with the reason, or where it was seen. */
function whatOf({ what, way, reason }: PlanView): string {
  if (what === 'plan_changed') return 'Changed'
  if (way === 'list') return 'Read in a list of an event'
  if (way === 'pack') return 'Read in an arrival pack'
  return way === 'opened' && reason ? `Opened in an event: ${planReasonWords[reason]}` : 'Viewed'
}

/** Who viewed it when. */
export function Views({ personUid }: { personUid: PersonUid }) {
  const zone = useZone()
  const { data } = useQuery(viewsQuery(personUid))
  if (!data || data.length === 0) return null
  return (
    <section aria-labelledby="views-title" className="grid gap-2 border-t border-hairline pt-4">
      <h2 id="views-title" className="text-lg font-bold">
        Views and changes
      </h2>
      <ul className="grid gap-1 text-sm">
        {data.map((view) => (
          <li key={JSON.stringify(view)} className="flex flex-wrap gap-x-3 tabular-nums">
            <time dateTime={view.at}>{formatMomentIn(view.at, zone)}</time>
            <span>{view.who ?? 'Operator'}</span>
            <span className="text-muted">{whatOf(view)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
