import { useInfiniteQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { formatCount } from '#web/lib/counts.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'
import { actionsQuery } from './parts/records.data.ts'

/** Before a start, what earlier drills left to be done. */
export function OpenActions() {
  const mayRead = useAuth()?.module_access.Module_Event_Records === true
  const { data } = useInfiniteQuery({ ...actionsQuery({ state: 'open' }), enabled: mayRead })
  const open = data?.pages[0]?.open ?? 0
  if (!mayRead || open === 0) return null
  return (
    <p className="card flex items-center gap-3">
      <Wrench aria-hidden className="shrink-0 text-warning-ink" />
      <Link to="/event/records/actions" className="min-h-12 font-bold text-link underline">
        {formatCount(open)} {open === 1 ? 'action of earlier drills is open.' : 'actions of earlier drills are open.'}
      </Link>
    </p>
  )
}
