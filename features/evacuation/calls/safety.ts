import { type Static, Type } from 'typebox'
import { BuildingUid, FloorStatusUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { areas, displays, messageFilters } from '#kernel/kinds.ts'
import * as limits from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { SafetyStatus, StatusTotals } from '#kernel/vocabulary.schemas.ts'
import { Occupant, Pagination } from './evacuation.ts'

const onDuty = <const Answer extends 'refuse' | 'answer'>(withoutEvent: Answer) =>
  ({ access: 'duty', flag: 'Module_Evacuee_Safety', withoutEvent }) as const

/** The filters of the screen. `floors` is ['all'] or a list of floors. Floors outside the event are ignored. */
export type FilterSet = Static<typeof FilterSet>
export const FilterSet = Type.Object(
  {
    area: Type.Enum([...areas]),
    floors: Type.Array(Type.Union([Type.Literal('all'), FloorUid]), { minItems: 1, maxItems: 1000 }),
    message: Type.Enum([...messageFilters]),
    display: Type.Enum([...displays]),
    assist: Type.Boolean(),
    visitor: Type.Boolean(),
    refusal: Type.Boolean(),
    /** Applies from three characters on. */
    search: Type.String({ maxLength: limits.searchLength }),
  },
  { additionalProperties: false },
)

const people = {
  evacuees: Type.Array(Occupant),
  pagination: Pagination,
  /** Number of people who pass all filters except `display`. */
  filterCounts: StatusTotals,
  /** True if no one matches or the caller has no participation. The lists are then empty. */
  error: Type.Optional(Type.Enum(['no_evacuees', 'no_event', 'not_on_duty'])),
  message: Type.Optional(Type.String()),
}
export type EvacueesPage = Static<typeof EvacueesPage>
export const EvacueesPage = Type.Object(people)

export type SafetyBuilding = Static<typeof SafetyBuilding>
export const SafetyBuilding = Type.Object({
  id: BuildingUid,
  name: Type.String(),
  floors: Type.Array(Type.Object({ id: FloorUid, name: Type.String() })),
})

/** The first data of the evacuee safety screen. */
export type SafetyData = Static<typeof SafetyData>
export const SafetyData = Type.Object({
  ...people,
  buildings: Type.Array(SafetyBuilding),
  sms_allowed: Type.Boolean(),
})

export const getSafetyData = defineCall({
  summary: 'Evacuee safety as it opens, with the default filters; the body is null',
  method: 'POST',
  path: '/api/evacuee/safety/data',
  reply: SafetyData,
  policy: onDuty('answer'),
})

export const filterEvacuees = defineCall({
  summary: 'A page of the evacuees that the filters leave, by name; the next by next_page_url',
  method: 'POST',
  path: '/api/evacuee/safety/filter',
  query: Type.Object({
    page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$', maxLength: 6 })),
    /** Opaque position in the list, from the server. */
    after: Type.Optional(Type.String({ maxLength: 600 })),
  }),
  body: FilterSet,
  reply: EvacueesPage,
  policy: onDuty('answer'),
})

export const listAreaFloors = defineCall({
  summary: "Floors of the caller's area, or of the whole event, by building",
  method: 'GET',
  path: '/api/evacuee/safety/floors',
  query: Type.Object({ area: Type.Enum([...areas]) }),
  reply: Type.Object({
    floors: Type.Array(
      Type.Object({
        buildingId: BuildingUid,
        name: Type.String(),
        floors: Type.Array(Type.Object({ id: FloorUid, name: Type.String(), status: FloorStatusUid })),
      }),
    ),
    floorsTotal: Type.Integer(),
    error: Type.Optional(Type.Enum(['no_event', 'not_on_duty'])),
    message: Type.Optional(Type.String()),
  }),
  policy: onDuty('answer'),
})

const evacueeStatus = {
  evacueeId: PersonUid,
  /** Any spelling of a status, any letter case. */
  status: Type.String({ minLength: 1, maxLength: 20 }),
}
const Recorded = Type.Object({
  status: Type.Literal('success'),
  evacueeId: PersonUid,
  newStatus: SafetyStatus,
  /** Additive: the record as on the floor screens, and whether a newer danger supersedes it. */
  person: Type.Object({ id: PersonUid, status: SafetyStatus, on_floor: Type.Boolean() }),
  superseded: Type.Boolean(),
})

export const setEvacueeStatus = defineCall({
  summary: 'Records the safety status of a person, wherever they were last seen',
  method: 'POST',
  path: '/api/evacuee/safety/status',
  body: Type.Object(evacueeStatus, { additionalProperties: false }),
  reply: Recorded,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
  perMinute: 1200,
})

export const setEvacueeStatusByGet = defineCall({
  summary: 'The same as the POST of this address',
  method: 'GET',
  path: '/api/evacuee/safety/status',
  query: Type.Object(evacueeStatus),
  reply: Recorded,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
  perMinute: 1200,
})
