import { History } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { useAuth } from '../stored-auth.ts'

/** No one is on duty after an event, so the menu is not the only way to its record. */
export function PastEventsLink() {
  if (!useAuth()?.module_access.Module_Event_Records) return null
  return (
    <Link to="/event/records" className={buttonClass('outline', true)}>
      <History aria-hidden className="shrink-0" />
      Past events
    </Link>
  )
}
