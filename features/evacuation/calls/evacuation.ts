import { type Static, Type } from 'typebox'
import { EventName } from '#kernel/event-name.ts'
import { BuildingUid, EvacueeUid, EventUid, FloorStatusUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { SafetyStatus, StatusTotals } from '#kernel/vocabulary.schemas.ts'

const None = Type.Null()
const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const onDuty = <const Answer extends 'refuse' | 'answer'>(withoutEvent: Answer) =>
  ({ access: 'duty', flag: 'Module_Floor_Evacuation', withoutEvent }) as const

/** The text of a PEEP, as wardens read it. Health data: never cached, never logged. */
export type Peep = Static<typeof Peep>
export const Peep = Type.Object({ disability: Type.String(), assistance: Type.String(), other: Type.String() })

/** 'assist' (an active PEEP) or 'refusal' (refuses to evacuate). */
export type SpecialEntry = Static<typeof SpecialEntry>
export const SpecialEntry = Type.Object({
  name: Type.Union([Type.Literal('assist'), Type.Literal('refusal')]),
  state: Type.Boolean(),
  detail: Type.String(),
  peep: Type.Optional(Peep),
})

/** An evacuee of the event. `id` is the person, `evacuee_list_uid` the row of this event. */
/** Additive: what people do where the person is. Absent where they leave. */
const GroupField = { group: Type.Optional(Type.Enum(['stay', 'quiet'])) }

export type Occupant = Static<typeof Occupant>
export const Occupant = Type.Object({
  id: PersonUid,
  evacuee_list_uid: EvacueeUid,
  name: Type.String(),
  location: Type.String(),
  /** Additive: the floor of `location`. Null for people without a floor. */
  floor: Type.Optional(Type.Union([FloorUid, None])),
  phone: Type.Union([Type.String(), None]),
  status: SafetyStatus,
  on_floor: Type.Boolean(),
  reported: Type.Boolean(),
  visitor: Type.Boolean(),
  special: Type.Array(SpecialEntry),
  message: Type.Object({ unread: Type.Boolean(), noreply: Type.Boolean() }),
  /** Additive: the person reported the status by text, which proves no identity. Shown as 'by SMS, unverified'. */
  by_sms: Type.Optional(Type.Boolean()),
  /** Additive: the same by the personal page. Shown as 'own page, unverified'. */
  by_page: Type.Optional(Type.Boolean()),
  /** Additive: what the drill that became live knew of the person, until they are recorded again. In no count. */
  in_drill: Type.Optional(Type.Object({ status: SafetyStatus, at: Type.String() })),
  /** Additive: the same of a change of the action that counts everyone again. */
  before: Type.Optional(Type.Object({ status: SafetyStatus, at: Type.String() })),
  /** Additive: the number has sent STOP. Shown as 'SMS refused'. */
  sms_refused: Type.Optional(Type.Boolean()),
  ...GroupField,
})

export type PeepPerson = Static<typeof PeepPerson>
export const PeepPerson = Type.Object({
  id: PersonUid,
  name: Type.String(),
  status: SafetyStatus,
  /** Additive. */
  on_floor: Type.Boolean(),
  disability: Type.String(),
  assistance: Type.String(),
  other: Type.String(),
  ...GroupField,
})

/** `from` is the number of the first row, or 0 without rows. `next_page_url` is null on the last page. */
export type Pagination = Static<typeof Pagination>
export const Pagination = Type.Object({
  next_page_url: Type.Union([Type.String(), None]),
  total: Type.Integer(),
  from: Type.Integer(),
  current_page: Type.Integer(),
  total_pages: Type.Integer(),
})

const NamedBuilding = Type.Object({ id: BuildingUid, name: Type.String() })
export type EvacuationFloor = Static<typeof EvacuationFloor>
export const EvacuationFloor = Type.Object({
  id: FloorUid,
  name: Type.String(),
  status: FloorStatusUid,
  building: Type.Object({ id: BuildingUid, name: Type.String(), buildingId: BuildingUid }),
})

export type FloorStatus = Static<typeof FloorStatus>
export const FloorStatus = Type.Object({
  id: FloorStatusUid,
  name: Type.String(),
  label: Type.Object({ colour: Type.String(), display_order: Type.Integer(), inuse: Type.Boolean() }),
  /** Additive: the organisation counts a floor with it as cleared. */
  means_clear: Type.Boolean(),
})

/** The first data of the floor evacuation screen. */
export type FloorData = Static<typeof FloorData>
export const FloorData = Type.Object({
  buildings: Type.Array(NamedBuilding),
  floors: Type.Array(EvacuationFloor),
  floor_status: Type.Array(FloorStatus),
  input: Type.Object({
    building: BuildingUid,
    floor: Type.Union([FloorUid, None]),
    status: Type.Union([FloorStatusUid, None]),
  }),
  pagination: Pagination,
  /** Additive: the people of the floor by status. */
  counts: StatusTotals,
  peep: Type.Array(PeepPerson),
  persons: Type.Array(Occupant),
  pwdmi_statuses: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
  refusal_to_evacuate: Type.Integer(),
  event: Type.Object({ id: EventUid, ...EventName.properties }),
  sms_allowed: Type.Boolean(),
})
export const NoEvent = Type.Object({
  error: Type.Union([Type.Literal('no_event'), Type.Literal('not_on_duty')]),
  message: Type.String(),
})
export type PersonsPage = Static<typeof PersonsPage>
export const PersonsPage = Type.Object({
  persons: Type.Array(Occupant),
  pagination: Pagination,
  /** Additive: the people of the floor by status, whatever the list shows. */
  counts: StatusTotals,
})
const Done = Type.Literal('success')
/** Additive: in danger, unknown with a PEEP, unknown, refused, safe, each by name. Without it by name. */
const byAttention = { order: Type.Optional(Type.Literal('attention')) }
/** Additive: only the floors of the shown building. Without it those of all buildings: 250 kB for an event of 1,000 floors. */
const floorsShown = { floors: Type.Optional(Type.Literal('building')) }

export const getFloorData = defineCall({
  summary: 'Floor evacuation: the floor or building asked for, else the selected, own or first of the event',
  method: 'GET',
  path: '/api/floor/evacuation/data',
  /** The place that the page shows. A place outside the event is ignored. */
  query: Type.Object({
    floor: Type.Optional(FloorUid),
    building: Type.Optional(BuildingUid),
    ...byAttention,
    ...floorsShown,
  }),
  reply: Type.Union([FloorData, NoEvent]),
  policy: onDuty('answer'),
})

export const searchOccupants = defineCall({
  summary: 'Occupants of the selected building whose name holds the text, own floor first',
  method: 'GET',
  path: '/api/floor/evacuation/search/:text',
  params: Type.Object({ text: Type.String({ minLength: 1, maxLength: limits.searchLength }) }),
  /** A floor of the building. Default: the selected one. */
  query: Type.Object({ floor: Type.Optional(FloorUid) }),
  reply: PersonsPage,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const listOccupants = defineCall({
  summary: 'A page of 20 occupants: first page without a query, the next by next_page_url',
  method: 'GET',
  path: '/api/floor/evacuation/persons',
  query: Type.Object({
    page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$', maxLength: 6 })),
    floor: Type.Optional(FloorUid),
    search: Type.Optional(Type.String({ maxLength: limits.searchLength })),
    /** Opaque position in the list, from the server. Deep pages cost no more than the first. */
    after: Type.Optional(Type.String({ maxLength: 600 })),
    ...byAttention,
    /** Additive: only people with this status. */
    status: Type.Optional(SafetyStatus),
    /** Additive: only people with a PEEP. */
    assist: Type.Optional(Type.Literal('yes')),
    /** Additive: these rows of the floor in this order, whatever their status is now. Up to 20, separated by commas. */
    rows: Type.Optional(Type.String({ pattern: `^${uuid}(,${uuid}){0,19}$`, maxLength: 740 })),
  }),
  reply: PersonsPage,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const setFloorStatus = defineCall({
  summary: 'Sets the evacuation status of a floor',
  method: 'POST',
  path: '/api/floor/evacuation/floor/status',
  body: Type.Object({ floorId: FloorUid, floorStatusId: FloorStatusUid }, { additionalProperties: false }),
  reply: Type.Object({
    status: Done,
    /** Additive: seen before the status that stands, or before the event began. It is journaled, and the status does not change. */
    overruled: Type.Boolean(),
  }),
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const setPersonStatus = defineCall({
  summary: 'Records the safety status of a person who is on that floor',
  method: 'POST',
  path: '/api/floor/evacuation/person/status',
  body: Type.Object(
    {
      personId: PersonUid,
      /** Any spelling of a status, any letter case. */
      status: Type.String({ minLength: 1, maxLength: 20 }),
      floorId: FloorUid,
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    status: Done,
    person: Type.Object({ id: PersonUid, status: SafetyStatus, on_floor: Type.Boolean() }),
    /** Additive: the observation was older than a newer danger or than the event. It is journaled, and the status does not change. */
    superseded: Type.Boolean(),
  }),
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
  perMinute: 1200,
})

export const toggleRefusal = defineCall({
  summary: 'Notes or takes back a refusal to evacuate; the safety status stays',
  method: 'POST',
  path: '/api/floor/evacuation/refusal',
  body: Type.Object({ person: PersonUid, floorId: FloorUid }, { additionalProperties: false }),
  reply: Type.Object({ status: Done, action: Type.Union([Type.Literal('add'), Type.Literal('sub')]) }),
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const changeFloor = defineCall({
  summary: 'Selects a floor: its PEEPs, status and refusals',
  method: 'POST',
  path: '/api/floor/evacuation/floor/change',
  body: Type.Object({ floor: FloorUid }, { additionalProperties: false }),
  reply: Type.Object({
    peep: Type.Array(PeepPerson),
    status: FloorStatusUid,
    refusal_to_evacuate: Type.Integer(),
  }),
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export const changeBuilding = defineCall({
  summary: 'Selects a building: the whole data set again',
  method: 'POST',
  path: '/api/floor/evacuation/building/change',
  body: Type.Object({ building: BuildingUid, ...byAttention, ...floorsShown }, { additionalProperties: false }),
  reply: FloorData,
  policy: onDuty('refuse'),
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})
