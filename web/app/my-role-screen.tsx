import { MyRole } from '#features/assignments/web/my-role.tsx'
import { OwnFloor } from '#features/evacuation/web/own-floor.tsx'
import { HazardsLink } from '../session/navigation/hazards-link.tsx'

/** The warden's role, and what there is to do on the own floor. */
export const MyRoleScreen = () => (
  <MyRole
    floor={
      <>
        <OwnFloor />
        <HazardsLink />
      </>
    }
  />
)
