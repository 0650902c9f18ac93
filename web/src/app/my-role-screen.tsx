import { MyRole } from '../features/assignments/my-role.tsx'
import { OwnFloor } from '../features/evacuation/own-floor.tsx'

/** The warden's role, and what there is to do on the own floor. */
export const MyRoleScreen = () => <MyRole floor={<OwnFloor />} />
