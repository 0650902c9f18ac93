import { TriangleAlert } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { useAuth } from '../stored-auth.ts'

/** Everyone on duty notes hazards. */
export const HazardsLink = () =>
  useAuth()?.on_duty ? (
    <Link to="/event/hazards" className={buttonClass('outline', true)}>
      <TriangleAlert aria-hidden className="shrink-0" />
      Hazards
    </Link>
  ) : null
