import { type Static, Type } from 'typebox'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { planReasons } from '../kinds.ts'

const OrNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Health data: never cached, logged or kept for a repeat. */
export type OpenedPlan = Static<typeof OpenedPlan>
export const OpenedPlan = Type.Object({
  assistance: Type.String(),
  /** With the whole plan. */
  disability: Type.Optional(Type.String()),
  other: Type.Optional(Type.String()),
})

export const openEventPlan = defineCall({
  summary: 'The plan of a person in the event, for a reason. Each opening is recorded before the answer leaves',
  method: 'POST',
  path: '/api/event/plans/:personId/open',
  params: Type.Object({ personId: PersonUid }),
  body: Type.Object(
    { reason: Type.Enum([...planReasons]), whole: Type.Enum(['yes', 'no']) },
    { additionalProperties: false },
  ),
  reply: OpenedPlan,
  policy: { access: 'duty', flag: 'Module_Evacuee_Safety', withoutEvent: 'refuse' },
  refusals: ['not_found', 'no_event', 'not_on_duty'],
})

/** Numbers of people, never who they are. */
export type PlanReader = Static<typeof PlanReader>
export const PlanReader = Type.Object({
  /** 'Fire service: {reader}' for a reader of an arrival pack. */
  name: Type.String(),
  role: OrNull(Type.String()),
  /** Plans opened for a reason, or in an arrival pack. */
  opened: Type.Integer(),
  /** Further plans that a list has shown. */
  listed: Type.Integer(),
  /** ISO 8601. */
  last_at: Type.String(),
})

export const listPlanReaders = defineCall({
  summary: "'Who opened plans': readers of the event and how many plans each has seen, newest first, 200 at most",
  method: 'GET',
  path: '/api/event/plans/readers',
  reply: Type.Object({
    readers: Type.Array(PlanReader),
    /** Readers that do not stand in the list. */
    more: Type.Integer(),
  }),
  policy: { access: 'duty', flag: 'Module_Building_Evacuation_Status', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})
