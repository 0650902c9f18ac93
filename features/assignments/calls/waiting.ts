import { Type } from 'typebox'
import { EventUid, WaitingUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const ofChange = { params: Type.Object({ uid: WaitingUid }) } as const

/** A change that a warden on duty puts off. */
const Waiting = Type.Object({
  uid: WaitingUid,
  kind: Type.Enum(['deactivation', 'assignment_end']),
  person: Type.String(),
  /** Where they are at their post. Null if they have just left it. */
  site: Type.Union([Type.String(), Type.Null()]),
  /** Null: a directory or the operator. */
  by: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601. */
  since: Type.String(),
})

export const getNow = defineCall({
  summary: 'What happens now: running events, and what waits. Asked every 15 s; asking does not prolong the session',
  method: 'GET',
  path: '/api/console/now',
  reply: Type.Object({
    events: Type.Array(Type.Object({ uid: EventUid, site: Type.String(), started_at: Type.String() })),
    waiting: Type.Array(Waiting),
  }),
  policy: { access: 'console', right: 'any', poll: true },
})

export const doWaitingNow = defineCall({
  summary: 'Take a warden off duty and make the change that waits for it; never the last event manager',
  method: 'POST',
  path: '/api/console/waiting/:uid/now',
  ...ofChange,
  reply: Type.Object({ status: Type.Literal('done') }),
  policy: { access: 'console', right: 'organisation', confirmed: true },
  refusals: ['confirm_identity', 'not_found', 'on_duty', 'busy', 'forbidden', 'beyond_reach', 'invalid_transition'],
})

export const dropWaiting = defineCall({
  summary: 'Cancel a change that waits',
  method: 'POST',
  path: '/api/console/waiting/:uid/drop',
  ...ofChange,
  reply: Type.Object({ status: Type.Literal('dropped') }),
  policy: { access: 'console', right: 'organisation' },
  refusals: ['not_found'],
})
