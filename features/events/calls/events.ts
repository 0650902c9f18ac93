import { type Static, Type } from 'typebox'
import { Occupant, Pagination } from '#features/evacuation/calls/evacuation.ts'
import { EventName } from '#kernel/event-name.ts'
import { BuildingUid, EventTypeUid, EventUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { Action, ActionFields, EventKind, EventKindField, StatusTotals, Where } from '#kernel/vocabulary.schemas.ts'

const None = Type.Null()
const YesNo = Type.Enum(['yes', 'no'])

/** The event of a building: uid, and name and description of its type. Additive: `kind`. */
export type BuildingEvent = Static<typeof BuildingEvent>
export const BuildingEvent = Type.Object({ id: EventUid, ...EventName.properties, kind: EventKind })

export type EventBuilding = Static<typeof EventBuilding>
export const EventBuilding = Type.Object({
  id: BuildingUid,
  name: Type.String(),
  /** Additive: `eventType`, by which the form finds the type whatever the event is called. */
  event: Type.Union([Type.Object({ ...BuildingEvent.properties, eventType: EventTypeUid }), None]),
  /** Additive: the caller may start or end events here. Others are shown disabled. */
  manageable: Type.Boolean(),
  ...ActionFields,
})

export type EventSite = Static<typeof EventSite>
export const EventSite = Type.Object({ id: SiteUid, name: Type.String(), buildings: Type.Array(EventBuilding) })

export type EventType = Static<typeof EventType>
export const EventType = Type.Object({
  id: EventTypeUid,
  type: Type.String(),
  description: Type.String(),
  message: Type.String(),
  /** Additive: what an event of this type is unless it is started otherwise. */
  kind: EventKind,
  /** Additive: what people do, and the usual place to go to. Absent where they leave. */
  action: Type.Optional(Action),
  where: Type.Optional(Type.String()),
})

/** The caller's sites, event types, and the event at the session's site. */
export type EventSites = Static<typeof EventSites>
export const EventSites = Type.Object({
  data: Type.Object({
    sites: Type.Array(EventSite),
    eventTypes: Type.Array(EventType),
    activeEvent: Type.Union([
      Type.Object({
        ...BuildingEvent.properties,
        active: Type.Boolean(),
        /** Additive: site and type, so that the form can be preset. */
        siteId: SiteUid,
        eventType: EventTypeUid,
        /** Additive: since when the former drill is live, and who of those on duty then has read it. */
        live: Type.Union([
          Type.Object({
            from: Type.String(),
            seen: Type.Integer(),
            wardens: Type.Integer(),
            /** Up to 200 names. */
            not_seen: Type.Array(Type.String()),
          }),
          None,
        ]),
        /** Additive: the newest change of an action, which the next one names. Absent before the first. */
        change: Type.Optional(Type.String()),
      }),
      None,
    ]),
    sms_allowed: Type.Boolean(),
  }),
})

export const listEventSites = defineCall({
  summary: 'Sites and buildings the caller may manage, with their events',
  method: 'GET',
  path: '/api/v2/event/buildings',
  reply: EventSites,
  policy: { access: 'session', flag: 'Module_Event_Management' },
})

const eventInput = {
  buildings: Type.Array(BuildingUid, { minItems: 1, maxItems: 500, uniqueItems: true }),
  eventType: EventTypeUid,
  /** 1 to 130 UTF-16 units, not only spaces. The server trims it. */
  message: Type.String({ minLength: 1, maxLength: limits.messageLength, pattern: '\\S' }),
  broadcastMessage: YesNo,
}
export type CreateEventInput = Static<typeof CreateEventInput>
export const CreateEventInput = Type.Object(
  {
    ...eventInput,
    alertToWarden: YesNo,
    /** Additive: the kind of a new event. Default: that of its type. It joins no running event of another kind. */
    kind: Type.Optional(EventKind),
    /** Additive: people were told of the drill before. Default: 'yes'. Changes nothing that is sent. */
    announced: Type.Optional(YesNo),
    /** Additive: where people go, if the type says move or shelter. Default: the place of the type. */
    where: Type.Optional(Where),
  },
  { additionalProperties: false },
)
export type EndEventInput = Static<typeof EndEventInput>
export const EndEventInput = Type.Object(
  {
    ...eventInput,
    /** Additive: the event that the caller saw. If another one runs, the call is refused. */
    event: Type.Optional(EventUid),
  },
  { additionalProperties: false },
)

/** The body itself, or its field `userInput`. */
const orWrapped = <S extends Type.TObject>(schema: S) =>
  Type.Union([schema, Type.Object({ userInput: schema }, { additionalProperties: false })])

export const createEvent = defineCall({
  summary: 'Starts an event, or adds buildings to the running one of the same type',
  method: 'POST',
  path: '/api/v2/event/create',
  body: orWrapped(CreateEventInput),
  reply: Type.Object({
    status: Type.Union([Type.Literal('event_created'), Type.Literal('event_running')]),
    message: Type.String(),
    event: Type.Union([BuildingEvent, None]),
    WardenSignInUID: Type.Union([SignInUid, None]),
    on_duty: Type.Boolean(),
    ...EventKindField,
  }),
  policy: { access: 'session', flag: 'Module_Event_Management' },
  refusals: ['not_found'],
})

export const endEvent = defineCall({
  summary: 'Removes buildings from the event; ends it if they are all removed',
  method: 'POST',
  path: '/api/v2/event/end',
  body: orWrapped(EndEventInput),
  reply: Type.Union([
    Type.Object({
      status: Type.Literal('event_ended'),
      scope: Type.Union([Type.Literal('event'), Type.Literal('buildings')]),
      remaining: Type.Integer(),
      message: Type.String(),
    }),
    Type.Object({ message: Type.String() }),
  ]),
  policy: { access: 'session', flag: 'Module_Event_Management' },
  refusals: ['not_found', 'other_event'],
})

export type MakeLiveInput = Static<typeof MakeLiveInput>
export const MakeLiveInput = Type.Object(
  {
    event: EventUid,
    /** As that of a start. It is sent to everyone. */
    message: eventInput.message,
  },
  { additionalProperties: false },
)

export const makeEventLive = defineCall({
  summary:
    'Makes a drill of a site where the caller manages a building a live event: everyone is unknown again and is told',
  method: 'POST',
  path: '/api/event/live',
  body: MakeLiveInput,
  reply: Type.Object({ status: Type.Literal('event_live'), message: Type.String() }),
  policy: { access: 'session', flag: 'Module_Event_Management' },
  refusals: ['not_found', 'other_event', 'invalid_transition'],
})

export const noteLiveSeen = defineCall({
  summary: "'I understand': the warden has read that the drill became live",
  method: 'POST',
  path: '/api/event/live/seen',
  body: Type.Object({ event: EventUid }, { additionalProperties: false }),
  reply: Type.Object({ status: Type.Literal('seen') }),
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

export type ChangeActionInput = Static<typeof ChangeActionInput>
export const ChangeActionInput = Type.Object(
  {
    event: EventUid,
    buildings: eventInput.buildings,
    action: Action,
    /** 'move' and 'shelter' need it; others have none. */
    where: Type.Optional(Where),
    message: eventInput.message,
    broadcastMessage: YesNo,
    /** 'yes': who was safe is unknown again. A danger stands. */
    again: YesNo,
    /** The newest change that the caller has seen: `change` of the running event. Null before the first. */
    base: Type.Union([Type.String({ format: 'uuid', maxLength: 36 }), None]),
  },
  { additionalProperties: false },
)

export const changeAction = defineCall({
  summary: 'Changes what the people of buildings of an event do, and tells everyone there and their wardens',
  method: 'POST',
  path: '/api/event/action',
  body: ChangeActionInput,
  /** `change` is the `base` of the next one. */
  reply: Type.Object({ status: Type.Literal('action_changed'), change: Type.String(), message: Type.String() }),
  policy: { access: 'session', flag: 'Module_Event_Management' },
  refusals: ['not_found', 'other_event', 'action_changed'],
})

/** A person of an event, with the place where the person was last recorded. */
export type UnaccountedPerson = Static<typeof UnaccountedPerson>
export const UnaccountedPerson = Type.Object({
  id: Occupant.properties.id,
  name: Type.String(),
  location: Type.String(),
  status: Occupant.properties.status,
})

/** Who is not accounted for in the caller's buildings of an event: counts, and a page of people with one status. */
export type Unaccounted = Static<typeof Unaccounted>
export const Unaccounted = Type.Object({
  event: BuildingEvent,
  counts: StatusTotals,
  /** Open calls for help of the event, wherever they come from. */
  calls: Type.Integer({ minimum: 0 }),
  persons: Type.Array(UnaccountedPerson),
  pagination: Pagination,
})

export const listUnaccounted = defineCall({
  summary: 'Counts of the event, and those in danger or unknown by name, 20 at a time',
  method: 'GET',
  path: '/api/v2/event/unaccounted',
  query: Type.Object({
    event: EventUid,
    status: Type.Enum(['danger', 'unknown']),
    page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$', maxLength: 6 })),
    /** Opaque position in the list, from the server. */
    after: Type.Optional(Type.String({ maxLength: 600 })),
  }),
  reply: Unaccounted,
  policy: { access: 'session', flag: 'Module_Event_Management' },
  refusals: ['not_found'],
})
