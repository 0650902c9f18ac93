import { useAuth } from '#web/session/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'

/** What event managers do from the board. */
export function ManagersActs() {
  if (!useAuth()?.module_access.Module_Event_Management) return null
  return (
    <>
      <Link to="/event/instructions" className="bd-button">
        Instruct
      </Link>
      <Link to="/event/pack" className="bd-button">
        Arrival pack
      </Link>
    </>
  )
}
