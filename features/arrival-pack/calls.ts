import { type Static, Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'
import { hazardLength, longestPackHours, readerKinds } from './kinds.ts'

const Uid = Type.String({ format: 'uuid' })
const closed = { additionalProperties: false } as const
const Instant = Type.String()
const NoneOr = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** `place` is null for the whole site. */
export type Hazard = Static<typeof Hazard>
export const Hazard = Type.Object({
  uid: Uid,
  place: NoneOr(Type.Object({ id: Uid, name: Type.String() })),
  text: Type.String(),
  by: Type.String(),
  at: Instant,
  /** Additive: noted while the event was a drill. */
  in_drill: Type.Boolean(),
})
const Hazards = Type.Object({
  hazards: Type.Array(Hazard),
  /** Buildings of the event, each before its floors: where a hazard can be. */
  places: Type.Array(Type.Object({ id: Uid, name: Type.String() })),
})
const onDuty = { access: 'duty', withoutEvent: 'refuse' } as const
const refusals = ['no_event', 'not_on_duty', 'not_found'] as const

export const listHazards = defineCall({
  summary: 'Hazards that are not over, newest first',
  method: 'GET',
  path: '/api/event/hazards',
  reply: Hazards,
  policy: onDuty,
  refusals: ['no_event', 'not_on_duty'],
})

export const noteHazard = defineCall({
  summary: 'Note a hazard. 50 at one time',
  method: 'POST',
  path: '/api/event/hazards',
  body: Type.Object(
    {
      /** A building or floor of the event. Left out: the whole site. */
      place: Type.Optional(Uid),
      text: Type.String({ minLength: 1, maxLength: hazardLength, pattern: '\\S' }),
    },
    closed,
  ),
  reply: Hazards,
  policy: onDuty,
  refusals: [...refusals, 'invalid_transition'],
})

export const endHazard = defineCall({
  summary: 'A hazard is over. Nothing is deleted',
  method: 'POST',
  path: '/api/event/hazards/:uid/over',
  params: Type.Object({ uid: Uid }),
  reply: Hazards,
  policy: onDuty,
  refusals,
})

/** The address is shown once, when it is made. */
export type ArrivalPack = Static<typeof ArrivalPack>
export const ArrivalPack = Type.Object({
  uid: Uid,
  by: Type.String(),
  made_at: Instant,
  /** When it ends or was ended. */
  ends_at: Instant,
  ended: Type.Boolean(),
  /** With the help that people need. */
  plans: Type.Boolean(),
})

export type PackReader = Static<typeof PackReader>
export const PackReader = Type.Object({
  pack: Uid,
  /** Of 'others' and 'printed' a pack has one each, without name, network and browser. */
  kind: Type.Enum([...readerKinds]),
  /** Empty: they gave none. */
  name: Type.String(),
  /** An IPv4 network of 24 bits, or an IPv6 one of 48. */
  network: Type.String(),
  browser: Type.String(),
  first_at: Instant,
  last_at: Instant,
  times: Type.Integer(),
})
const Packs = Type.Object({ packs: Type.Array(ArrivalPack), readers: Type.Array(PackReader) })
const managing = { access: 'duty', flag: 'Module_Event_Management', withoutEvent: 'refuse' } as const

export const listPacks = defineCall({
  summary: 'Arrival packs of the event, newest first, and who opened them',
  method: 'GET',
  path: '/api/event/packs',
  reply: Packs,
  policy: managing,
  refusals: ['no_event', 'not_on_duty'],
})

export const makePack = defineCall({
  summary: 'Make an arrival pack. Its address is returned only once. Ten live ones an event',
  method: 'POST',
  path: '/api/event/packs',
  body: Type.Object(
    {
      hours: Type.Integer({ minimum: 1, maximum: longestPackHours }),
      /** 'Include the help people need' */
      plans: Type.Enum(['yes', 'no']),
    },
    closed,
  ),
  reply: Type.Object({ url: Type.String(), uid: Uid, ends: Instant }),
  policy: managing,
  refusals: ['no_event', 'not_on_duty', 'too_many_links'],
})

export const endPack = defineCall({
  summary: 'End an arrival pack at once',
  method: 'POST',
  path: '/api/event/packs/:uid/end',
  params: Type.Object({ uid: Uid }),
  reply: Packs,
  policy: managing,
  refusals,
})
