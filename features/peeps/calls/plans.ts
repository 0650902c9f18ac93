import { type Static, Type } from 'typebox'
import { planConsents } from '#kernel/console-kinds.ts'
import { listOf, listQuery } from '#kernel/console-list.ts'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { planReasons, planWays } from '../kinds.ts'

const closed = { additionalProperties: false } as const
const policy = { access: 'console', right: 'plans' } as const
const Nullable = Type.Null()
const OrNull = Type.Union([Type.String(), Nullable])
const ofPerson = { params: Type.Object({ personUid: PersonUid }) }
/** Of the plan that was read. A change makes another plan, so the version is its uid. */
const Version = Type.String({ maxLength: 40 })
/** Longer than any valid text, so that the server's words name what is wrong. */
const Text = Type.String({ maxLength: 3000 })
const Day = Type.String({ maxLength: 20 })

/** Without a word of the plan. */
export type PlanRow = Static<typeof PlanRow>
const PlanRow = Type.Object({
  uid: PersonUid,
  first_name: Type.String(),
  last_name: Type.String(),
  /** 'Building - Floor', or the building of a visitor without a floor. */
  place: OrNull,
  /** YYYY-MM-DD. */
  review_on: OrNull,
  /** The review day is past at the site, or none is recorded. */
  is_overdue: Type.Boolean(),
  has_consent: Type.Boolean(),
  /** The plan was opened in an event, and the person could not be told. */
  is_untold: Type.Boolean(),
})

export const listPlans = defineCall({
  summary: 'People with a plan by last, then first name, without its text',
  method: 'GET',
  path: '/api/console/plans',
  query: Type.Object({ ...listQuery, state: Type.Optional(Type.Enum(['overdue', 'no_consent', 'not_told'])) }),
  reply: listOf(PlanRow),
  policy,
})

export type Plan = Static<typeof Plan>
const Plan = Type.Object({
  version: Type.String(),
  assistance: Type.String(),
  disability: Type.String(),
  other: Type.String(),
  summary: Type.String(),
  consent: Type.Union([Type.Enum([...planConsents]), Nullable]),
  consent_on: OrNull,
  review_on: OrNull,
  /** Whether the fire service reads the assistance. Null: as the organisation says. */
  fire_service: Type.Union([Type.Enum(['yes', 'no']), Nullable]),
  changed_at: Type.String(),
})

export const getPlan = defineCall({
  summary: 'The plan of a person. Reading it is recorded before the answer leaves',
  method: 'GET',
  path: '/api/console/plans/:personUid',
  ...ofPerson,
  reply: Type.Object({
    person: Type.Object({
      uid: PersonUid,
      first_name: Type.String(),
      last_name: Type.String(),
      place: OrNull,
      /** Today at the site of the person: reviews count by it. */
      today: Type.String(),
    }),
    plan: Type.Union([Plan, Nullable]),
  }),
  policy,
  refusals: ['not_found'],
})

export const savePlan = defineCall({
  summary: 'Write the plan of a person, with consent and a review day; the former plan ends',
  method: 'POST',
  path: '/api/console/plans/:personUid',
  ...ofPerson,
  body: Type.Object(
    {
      /** Null: there was none. */
      version: Type.Union([Version, Nullable]),
      assistance: Text,
      disability: Text,
      other: Text,
      summary: Text,
      /** `person`, `guardian`, or empty, which is refused in words. */
      consent: Type.Enum(['', ...planConsents]),
      consent_on: Day,
      review_on: Day,
      /** Empty: as the organisation says. Left out: as it was. */
      fire_service: Type.Optional(Type.Enum(['', 'yes', 'no'])),
    },
    closed,
  ),
  /** Without the plan: an answer is kept for repeats of the request. */
  reply: Type.Object({ status: Type.Literal('saved') }),
  policy,
  refusals: ['not_found', 'changed_since', 'busy'],
})

export const endPlan = defineCall({
  summary: 'End the plan of a person: wardens can no longer see it',
  method: 'POST',
  path: '/api/console/plans/:personUid/end',
  ...ofPerson,
  body: Type.Object({ version: Version }, closed),
  reply: Type.Object({ status: Type.Literal('ended') }),
  policy,
  refusals: ['not_found', 'changed_since', 'busy'],
})

export const listPlanViews = defineCall({
  summary: 'Who viewed or changed the plan of a person in the console or an event, newest first, the last 100',
  method: 'GET',
  path: '/api/console/plans/:personUid/views',
  ...ofPerson,
  reply: Type.Array(
    Type.Object({
      at: Type.String(),
      /** Null: the operator of the installation. */
      who: OrNull,
      what: Type.Enum(['plan_viewed', 'plan_changed']),
      /** How it was seen in an event. Null in the console. */
      way: Type.Union([Type.Enum([...planWays]), Nullable]),
      /** Why it was opened. */
      reason: Type.Union([Type.Enum([...planReasons]), Nullable]),
    }),
  ),
  policy,
  refusals: ['not_found'],
})

/** `later` is after the event, `none` is 'Not told'. */
export type PlanNotice = Static<typeof PlanNotice>
const PlanNotice = Type.Object({
  site: Type.String(),
  /** When the event began. */
  began_at: Type.String(),
  how: Type.Enum(['later', 'mail', 'text', 'none', 'in_person']),
  /** Null for `later`. */
  at: OrNull,
})

export const listPlanNotices = defineCall({
  summary: 'Whether the person was told that their plan was opened in an event, newest first, the last 50',
  method: 'GET',
  path: '/api/console/plans/:personUid/notices',
  ...ofPerson,
  reply: Type.Array(PlanNotice),
  policy,
  refusals: ['not_found'],
})

export const notePlanTold = defineCall({
  summary: "'Told in person': someone has told the person whom neither email nor text reached",
  method: 'POST',
  path: '/api/console/plans/:personUid/told',
  ...ofPerson,
  /** How many events the administrator has read as 'Not told'. */
  body: Type.Object({ count: Type.Integer({ minimum: 0, maximum: 10_000 }) }, closed),
  reply: Type.Object({ status: Type.Literal('saved') }),
  policy,
  refusals: ['not_found', 'changed_since'],
})
