import { TriangleAlert } from 'lucide-react'
import { MyRole } from '#features/assignments/web/my-role.tsx'
import { OwnFloor } from '#features/evacuation/web/own-floor.tsx'
import { PhoneAlerts } from '#features/reach/web/alerts/phone-alerts.tsx'
import { useAuth } from '../session/stored-auth.ts'
import { buttonClass } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'

/** The warden's role, and what there is to do on the own floor. */
export const MyRoleScreen = () => (
  <MyRole
    floor={
      <>
        <OwnFloor />
        <HazardsLink />
        <PhoneAlerts />
      </>
    }
  />
)

/** Everyone on duty notes hazards. */
const HazardsLink = () =>
  useAuth()?.on_duty ? (
    <Link to="/event/hazards" className={buttonClass('outline', true)}>
      <TriangleAlert aria-hidden className="shrink-0" />
      Hazards
    </Link>
  ) : null
