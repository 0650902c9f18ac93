import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

/** Of the first days. */
const steps = ['places', 'people', 'wardens', 'plans', 'templates', 'second_administrator'] as const
export type Step = (typeof steps)[number]

/** To 10,000; one more stands for all beyond. */
const Count = Type.Integer({ minimum: 0, maximum: 10_001 })

export const getOverview = defineCall({
  summary: 'The steps of the first days, and what is amiss within reach, counted',
  method: 'GET',
  path: '/api/console/overview',
  reply: Type.Object({
    /** True or false each. Null for who administers a part of the organisation. */
    steps: Type.Union([
      Type.Object(Object.fromEntries(steps.map((step) => [step, Type.Boolean()])) as Record<Step, Type.TBoolean>),
      Type.Null(),
    ]),
    /** Steps that the organisation does not need. */
    steps_aside: Type.Array(Type.Enum([...steps])),
    /** Floors in use that no one has accepted for today. */
    floors_without_warden: Count,
    /** Active staff whom no event counts. */
    people_without_floor: Count,
    /** Plans without a review day to come. Null without the Plans permission. */
    plans_to_review: Type.Union([Count, Type.Null()]),
    /**
     * Why no one gets a text at the start of an event: the organisation has texts off, the server has no provider, or keeps
     * texts in its simulator. Null when texts leave, and for who administers a part of the organisation.
     */
    no_texts: Type.Union([Type.Enum(['off', 'no provider', 'simulated']), Type.Null()]),
  }),
  policy: { access: 'console', right: 'any' },
})

export const putStepAside = defineCall({
  summary: 'Put a step of the first days aside, or bring it back',
  method: 'POST',
  path: '/api/console/overview/steps/:step',
  params: Type.Object({ step: Type.Enum([...steps]) }),
  body: Type.Object({ aside: Type.Boolean() }, { additionalProperties: false }),
  reply: Type.Object({ steps_aside: Type.Array(Type.Enum([...steps])) }),
  policy: { access: 'console', right: 'organisation' },
})
