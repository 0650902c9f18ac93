import { type Static, Type } from 'typebox'
import { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

/** Where an alarm is, and how many it is about. Counts only: no name of a person, no PEEP. */
export type AlarmPlace = Static<typeof AlarmPlace>
export const AlarmPlace = Type.Object({
  building: Type.Object({ id: BuildingUid, name: Type.String() }),
  /** Null for people who are on no floor of the building. */
  floor: Type.Union([Type.Object({ id: FloorUid, name: Type.String() }), Type.Null()]),
  danger: Type.Integer(),
  /** People who newly refuse to leave. */
  refusals: Type.Integer(),
  /** The name of a red floor status that was newly set, such as 'Assistance Required'. */
  floor_status: Type.Union([Type.String(), Type.Null()]),
})

/** What a phone has heard: all transactions up to an id, but those that were open, `1042` or `1042:1039,1041`. */
const Position = Type.String({ pattern: '^[0-9]{1,18}(:[0-9]{1,18}(,[0-9]{1,18})*)?$', maxLength: 2000 })

export const getAlarms = defineCall({
  summary: 'New dangers, refusals and red floor statuses that others recorded in the own area and that still hold',
  method: 'GET',
  path: '/api/v2/warden/alarms',
  query: Type.Object({
    /** A `cursor` of before: tells what was recorded since. Without it nothing is told. */
    since: Type.Optional(Position),
    /** The `cursor` up to which the phone has raised its alarm. */
    raised: Type.Optional(Position),
  }),
  reply: Type.Object({
    cursor: Position,
    /** The floors that concern this warden. Null: every change of the event may. */
    floors: Type.Union([Type.Array(FloorUid), Type.Null()]),
    /** The gravest first. */
    places: Type.Array(AlarmPlace),
    /** True if something was recorded after `raised`. */
    is_new: Type.Boolean(),
  }),
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})
