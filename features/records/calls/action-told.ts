import { Type } from 'typebox'
import { actionCodes } from '#kernel/actions.ts'
import { BuildingUid } from '#kernel/ids.ts'

/** What people of these buildings were told to do from then on, in seconds since the start. */
export const ActionTold = Type.Object({
  seconds: Type.Number({ minimum: 0 }),
  action: Type.Enum([...actionCodes]),
  /** Of move and shelter. */
  where: Type.Optional(Type.String()),
  /** By name. `before`: what they did until then. Absent: their building joined the event. */
  buildings: Type.Array(
    Type.Object({ id: BuildingUid, name: Type.String(), before: Type.Optional(Type.Enum([...actionCodes])) }),
  ),
})
