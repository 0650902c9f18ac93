import { type Static, Type } from 'typebox'
import { EventUid } from '#kernel/ids.ts'
import { textStates } from '#kernel/kinds.ts'
import { defineCall } from '#kernel/route.ts'

const count = Type.Integer({ minimum: 0 })
/** Number of texts of the event by state: message, alerts, report-in links, conclusions of removed buildings. */
export type TextCounts = Static<typeof TextCounts>
export const TextCounts = Type.Object({
  queued: count,
  handed_over: count,
  delivered: count,
  unconfirmed: count,
  failed: count,
  expired: count,
  skipped: count,
})

export type EventTexts = Static<typeof EventTexts>
export const EventTexts = Type.Object({
  /** The running event at the session's site, or null. */
  event: Type.Union([EventUid, Type.Null()]),
  counts: TextCounts,
  /** Some texts are still being written and not counted yet. */
  writing: Type.Boolean(),
  /** Texts of the event, including messages of wardens, that the daily budget did not cover. */
  over_budget: count,
})

/** A person of the event whose last text did not arrive, as far as is known. */
export type Unreached = Static<typeof Unreached>
export const Unreached = Type.Object({
  /** The text's uid, which is the position in the list. */
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  phone: Type.Union([Type.String(), Type.Null()]),
  /** Building and floor, or '' if unknown. */
  location: Type.String(),
  warden: Type.Boolean(),
  state: Type.Enum([...textStates]),
  reason: Type.String(),
})

const policy = { access: 'session', flag: 'Module_Event_Management' } as const

export const getEventTexts = defineCall({
  summary: 'How many texts of the running event at the own site were delivered, wait, failed',
  method: 'GET',
  path: '/api/event/texts',
  reply: EventTexts,
  policy,
})

export const listUnreached = defineCall({
  summary: "Who the texts of the running event at the caller's site did not reach, by name, 20 at a time",
  method: 'GET',
  path: '/api/event/texts/unreached',
  query: Type.Object({ after: Type.Optional(Type.String({ format: 'uuid' })) }),
  reply: Type.Object({
    persons: Type.Array(Unreached),
    /** `after` of the next page. Null on the last page. */
    next: Type.Union([Type.String(), Type.Null()]),
  }),
  policy,
})
