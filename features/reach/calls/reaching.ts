import { type Static, Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'
import { mostTries, plans, type reachClasses, stepLimits, ways } from '../kinds.ts'

const closed = { additionalProperties: false } as const

export const Step = Type.Object(
  { way: Type.Enum([...ways]), seconds: Type.Integer({ minimum: 0, maximum: stepLimits.seconds }) },
  closed,
)
/** A plan of this version, or the organisation's own steps in the order of their times. */
export const Choice = Type.Union([Type.Enum([...plans]), Type.Array(Step, { minItems: 1, maxItems: stepLimits.steps })])
const Most = Type.Union([Type.Integer({ minimum: mostTries.least, maximum: mostTries.most }), Type.Null()])

const Values = {
  /** How each class is reached. */
  plans: Type.Object(
    {
      report_in: Choice,
      instruction: Choice,
      command: Choice,
      offer: Choice,
      message: Choice,
      ask: Choice,
    } satisfies Record<(typeof reachClasses)[number], typeof Choice>,
    closed,
  ),
  /** At most so many texts and calls to a person about one thing. Null: as many as there are steps. */
  texts: Most,
  calls: Most,
}

export type Reaching = Static<typeof Reaching>
export const Reaching = Type.Object({ version: Type.String(), ...Values })

export const getReaching = defineCall({
  summary: 'How wardens and people of the organisation are reached until they answer',
  method: 'GET',
  path: '/api/console/reaching',
  reply: Reaching,
  policy: { access: 'console', right: 'organisation' },
})

export const saveReaching = defineCall({
  summary: 'Save how wardens and people are reached; a change counts at once, also in a running event',
  method: 'POST',
  path: '/api/console/reaching',
  body: Type.Object({ version: Type.String({ maxLength: 80 }), ...Values }, closed),
  reply: Reaching,
  policy: { access: 'console', right: 'organisation', confirmed: true },
  refusals: ['confirm_identity', 'changed_since', 'invalid_request'],
})
