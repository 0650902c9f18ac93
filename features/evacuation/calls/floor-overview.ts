import { type Static, Type } from 'typebox'
import { EventName } from '#kernel/event-name.ts'
import { BuildingUid, EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { SafetyStatus, StatusTotals } from '#kernel/vocabulary.schemas.ts'
import { EvacuationFloor, FloorStatus, NoEvent, Occupant, Pagination } from './evacuation.ts'

const onDuty = <const Answer extends 'refuse' | 'answer'>(withoutEvent: Answer) =>
  ({ access: 'duty', flag: 'Module_Floor_Evacuation_Status', withoutEvent }) as const

const counted = { stats: StatusTotals, refusals: Type.Integer() }

/** A floor of the event with its status and counts. */
export type CountedFloor = Static<typeof CountedFloor>
export const CountedFloor = Type.Object({ ...EvacuationFloor.properties, ...counted })

/** People in a building who are on none of its floors. */
export type FloorlessCount = Static<typeof FloorlessCount>
export const FloorlessCount = Type.Object({
  building: Type.Object({ id: BuildingUid, name: Type.String() }),
  ...counted,
})

export type FloorOverview = Static<typeof FloorOverview>
export const FloorOverview = Type.Object({
  event: Type.Object({ id: EventUid, ...EventName.properties }),
  /** All buildings of the event. With `building_id` that one is selected, and `floors` has only its floors. */
  buildings: Type.Array(Type.Object({ id: BuildingUid, name: Type.String(), selected: Type.Boolean() })),
  floor_status: Type.Array(FloorStatus),
  floors: Type.Array(CountedFloor),
  /** Additive: only buildings with such people. */
  without_floor: Type.Array(FloorlessCount),
})

export const getFloorOverview = defineCall({
  summary: 'Floors of the event with status, counts and refusals',
  method: 'GET',
  path: '/api/floor/evacuation/status/data',
  query: Type.Object({ building_id: Type.Optional(BuildingUid) }),
  reply: Type.Union([FloorOverview, NoEvent]),
  policy: onDuty('answer'),
  refusals: ['not_found'],
})

/** `pagination` is additive, because a floor may have thousands of people. */
export type PeepsPage = Static<typeof PeepsPage>
export const PeepsPage = Type.Object({ peeps: Type.Array(Occupant), pagination: Pagination })
const Place = Type.Object({
  page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$', maxLength: 6 })),
  /** Opaque position in the list, from the server. */
  after: Type.Optional(Type.String({ maxLength: 600 })),
})

export const listFloorPeople = defineCall({
  summary: 'People of a floor, those with a PEEP first, then by name',
  method: 'GET',
  path: '/api/floor/evacuation/warden/floor/:floorId',
  params: Type.Object({ floorId: FloorUid }),
  query: Place,
  reply: PeepsPage,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const listFloorlessPeople = defineCall({
  summary: 'People of a building who are on none of its floors, those with a PEEP first, then by name',
  method: 'GET',
  path: '/api/floor/evacuation/warden/building/:buildingId',
  params: Type.Object({ buildingId: BuildingUid }),
  query: Place,
  reply: PeepsPage,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const searchEventPeople = defineCall({
  summary: 'People of the event whose name holds the text',
  method: 'GET',
  path: '/api/floor/evacuation/warden/search/:text',
  params: Type.Object({ text: Type.String({ minLength: 1, maxLength: limits.searchLength }) }),
  query: Place,
  reply: PeepsPage,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const setStatusOnFloor = defineCall({
  summary: 'Records the safety status of a person who is on that floor, from the warden-side view',
  method: 'POST',
  path: '/api/floor/evacuation/warden/status',
  body: Type.Object(
    {
      id: PersonUid,
      /** Any spelling of a status, any letter case. */
      status: Type.String({ minLength: 1, maxLength: 20 }),
      /** Null does not change the person's place, because a search does not show the floor. */
      floor: Type.Union([FloorUid, Type.Null()]),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    status: Type.Literal('success'),
    /** Additive, as for setPersonStatus. */
    person: Type.Object({ id: PersonUid, status: SafetyStatus, on_floor: Type.Boolean() }),
    superseded: Type.Boolean(),
  }),
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
  perMinute: 1200,
})
