import { type Static, Type } from 'typebox'
import { EventUid, PlaceUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { addition, RecordAddition } from './additions.ts'

const Moment = Type.String()
const Uid = Type.String({ format: 'uuid' })
const NoneOr = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Kind = Type.Enum(['live', 'drill'])

/** What someone who notes something about an event may choose from, and what they have noted. */
const noting = {
  site: Type.String(),
  timezone: Type.String(),
  kind: Kind,
  started_at: Moment,
  ended_at: NoneOr(Moment),
  /** Buildings, each before its floors. */
  places: Type.Array(Type.Object({ id: PlaceUid, name: Type.String() })),
  checklist: Type.Array(Type.String()),
  /** Own observations and answers, oldest first. */
  notes: Type.Array(RecordAddition),
} as const

export type Noting = Static<typeof Noting>
export const Noting = Type.Object(noting)

export const listObserved = defineCall({
  summary: 'Events about which the caller may note something: the running one, and those of the last 30 days',
  method: 'GET',
  path: '/api/event/observation',
  reply: Type.Object({
    events: Type.Array(
      Type.Object({
        event: EventUid,
        type: Type.String(),
        kind: Kind,
        site: Type.String(),
        timezone: Type.String(),
        started_at: Moment,
        ended_at: NoneOr(Moment),
      }),
    ),
  }),
  policy: { access: 'session' },
})

export const getNoting = defineCall({
  summary: 'Places and checklist of an event, and what the caller has noted about it',
  method: 'GET',
  path: '/api/event/records/:eventUid/entries',
  params: Type.Object({ eventUid: EventUid }),
  reply: Noting,
  policy: { access: 'session' },
  refusals: ['not_found'],
})

/** Someone without an account who notes by a link. */
export type Observer = Static<typeof Observer>
export const Observer = Type.Object({
  uid: Uid,
  name: Type.String(),
  /** When the link ends or ended. Null while the event runs. */
  until: NoneOr(Moment),
  ended: Type.Boolean(),
  notes: Type.Integer(),
})

const observersOf = {
  path: '/api/event/records/:eventUid/observers',
  params: Type.Object({ eventUid: EventUid }),
  policy: { access: 'session', flag: 'Module_Event_Records' },
} as const

export const makeObserverLink = defineCall({
  ...observersOf,
  summary: "Makes an observer's link. This is shown only once",
  method: 'POST',
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 60 }) }, { additionalProperties: false }),
  reply: Type.Object({ observer: Observer, link: Type.String() }),
  refusals: ['not_found', 'invalid_transition'],
})

export const listObservers = defineCall({
  ...observersOf,
  summary: 'Observers of an event, and what they have noted by number',
  method: 'GET',
  reply: Type.Object({ observers: Type.Array(Observer) }),
  refusals: ['not_found'],
})

export const endObserverLink = defineCall({
  summary: "Ends an observer's link. What was noted with it stays",
  method: 'DELETE',
  path: '/api/event/records/:eventUid/observers/:uid',
  params: Type.Object({ eventUid: EventUid, uid: Uid }),
  reply: Type.Object({ observer: Observer }),
  policy: { access: 'session', flag: 'Module_Event_Records' },
  refusals: ['not_found'],
})

export const getObserved = defineCall({
  summary: 'What an observer sees: site, kind, places, checklist and own notes',
  method: 'GET',
  path: '/api/observe',
  reply: Type.Object({ ...noting, name: Type.String() }),
  policy: { access: 'observer' },
  refusals: ['link_ended'],
})

export const noteAsObserver = defineCall({
  summary: 'Adds an observation or an answer of an observer. 60 an hour, 500 in all',
  method: 'POST',
  path: '/api/observe/entries',
  body: Type.Union([addition('observation'), addition('checklist')]),
  reply: Type.Object({ entry: RecordAddition }),
  policy: { access: 'observer' },
  refusals: ['link_ended', 'not_found', 'invalid_transition'],
})
