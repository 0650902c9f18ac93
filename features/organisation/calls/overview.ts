import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

/** To 10,000; one more stands for all beyond. */
const Count = Type.Integer({ minimum: 0, maximum: 10_001 })

export const getOverview = defineCall({
  summary: 'The steps of the first days, and what is amiss within reach, counted',
  method: 'GET',
  path: '/api/console/overview',
  reply: Type.Object({
    /** True or false each. Null for who administers a part of the organisation. */
    steps: Type.Union([
      Type.Object({
        places: Type.Boolean(),
        people: Type.Boolean(),
        wardens: Type.Boolean(),
        plans: Type.Boolean(),
        templates: Type.Boolean(),
        second_administrator: Type.Boolean(),
      }),
      Type.Null(),
    ]),
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
