import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CircleAlert } from 'lucide-react'
import { meQuery } from '#web/console/me.data.ts'
import { formatDate } from '#web/lib/time/dates.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from './panel.tsx'
import type { Person } from './people.data.ts'

/** How the plan stands, for those who may see plans. Only its own page has its text. */
export function PlanPanel({ person: { uid, plan } }: { person: Person }) {
  const maySee = useQuery(meQuery).data?.rights.includes('plans') ?? false
  if (!maySee) return null
  return (
    <Panel title="Plan">
      {plan ? (
        <>
          <p>{plan.review_on ? `Review on ${formatDate(plan.review_on)}` : 'No review date'}</p>
          {plan.is_overdue && (
            <p className="inline-flex items-center gap-1 font-semibold">
              <CalendarClock aria-hidden size={16} /> Review overdue
            </p>
          )}
          {!plan.has_consent && (
            <p className="inline-flex items-center gap-1 font-semibold">
              <CircleAlert aria-hidden size={16} /> Consent not recorded
            </p>
          )}
          <Link to={`/console/plans/${uid}`} className="console-link">
            Open the plan
          </Link>
          <p className="text-sm text-muted">Each view is recorded.</p>
        </>
      ) : (
        <>
          <p className="text-muted">None</p>
          <Link to={`/console/plans/${uid}`} className="console-link">
            Write a plan
          </Link>
        </>
      )}
    </Panel>
  )
}
