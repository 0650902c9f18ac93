import { type Static, Type } from 'typebox'
import { EventUid, ReachUid } from '#kernel/ids.ts'
import { textStates } from '#kernel/kinds.ts'
import { defineCall } from '#kernel/route.ts'
import { Instant } from '#kernel/vocabulary.schemas.ts'
import { reachActs, reachClasses, reachLists, ways } from '../kinds.ts'

const ReachClass = Type.Enum([...reachClasses])
const count = Type.Integer({ minimum: 0 })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

/** People who are asked about things of one class. A person whose reach is over counts in none. */
export type ReachCount = Static<typeof ReachCount>
export const ReachCount = Type.Object({ class: ReachClass, reached: count, trying: count, not_reached: count })

/** One try by one way. */
export type ReachTry = Static<typeof ReachTry>
export const ReachTry = Type.Object({
  way: Type.Enum([...ways]),
  state: Type.Enum([...textStates]),
  at: Instant,
  /** Why it did not work, or ''. */
  reason: Type.String(),
  /** The key that was pressed in a call. */
  key: Type.Optional(Type.String()),
})

/** A person who is reached about one thing. */
export type Reached = Static<typeof Reached>
export const Reached = Type.Object({
  /** The reach, which is the position in the list. */
  id: ReachUid,
  name: Type.String(),
  phone: orNull(Type.String()),
  warden: Type.Boolean(),
  /** Building and floor, or '' if unknown. */
  location: Type.String(),
  since: Instant,
  /** The oldest first. */
  tries: Type.Array(ReachTry, { maxItems: 50 }),
  answered_at: orNull(Instant),
  /** Who spoke to them, or '' if they answered themselves. */
  spoken_by: Type.String(),
  /** From when 'Try again now' works. Null: now. */
  again_from: orNull(Instant),
})

const policy = { access: 'session', flag: 'Module_Event_Management' } as const

export const getReach = defineCall({
  summary: "Who of the running event at the caller's site has answered, by class, and one list by name, 20 at a time",
  method: 'GET',
  path: '/api/event/reach',
  query: Type.Object({
    class: Type.Optional(ReachClass),
    list: Type.Optional(Type.Enum([...reachLists])),
    after: Type.Optional(ReachUid),
  }),
  reply: Type.Object({
    /** The running event at the session's site, or null. */
    event: orNull(EventUid),
    /** Classes with anyone in them, in their order. */
    classes: Type.Array(ReachCount, { maxItems: reachClasses.length }),
    /** Of the class and list that are asked for. Empty without them. */
    people: Type.Array(Reached, { maxItems: 20 }),
    /** `after` of the next page. Null on the last page. */
    next: orNull(ReachUid),
  }),
  policy,
  refusals: ['not_found'],
})

export const actOnReach = defineCall({
  summary: 'Try all ways of a person again, once a minute, or note that the caller has spoken to them',
  method: 'POST',
  path: '/api/event/reach/:uid',
  params: Type.Object({ uid: ReachUid }),
  body: Type.Object({ act: Type.Enum([...reachActs]) }, { additionalProperties: false }),
  reply: Type.Object({ status: Type.Literal('done') }),
  policy,
  refusals: ['not_found', 'invalid_transition', 'quiet_building'],
})
