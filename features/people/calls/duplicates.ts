import { type Static, Type } from 'typebox'
import { listOf } from '#kernel/console-list.ts'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const policy = { access: 'console', right: 'people' } as const
const Nullable = Type.Null()
const closed = { additionalProperties: false } as const

/** Pairs of a page. There is one page: the others follow when these are merged. */
export const pairsShown = 200

/** What two active members of staff have in common. */
export const duplicateReasons = ['email', 'mobile', 'name'] as const

export type DuplicatePerson = Static<typeof DuplicatePerson>
const DuplicatePerson = Type.Object({
  uid: PersonUid,
  first_name: Type.String(),
  last_name: Type.String(),
  code: Type.String(),
  /** 'Building - Floor' */
  place: Type.Union([Type.String(), Nullable]),
})

export const listDuplicates = defineCall({
  summary: 'Pairs of active staff with the same email, the same mobile, or the same name and floor; 200 pairs',
  method: 'GET',
  path: '/api/console/people/duplicates',
  /** The total is exact to 200; one more means more than that. */
  reply: listOf(
    Type.Object({
      one: DuplicatePerson,
      other: DuplicatePerson,
      reasons: Type.Array(Type.Enum([...duplicateReasons])),
    }),
  ),
  policy,
})

/** What of a person may be taken from the one who goes. `sign_in`: user name, password and second factor. */
export const mergedFields = ['first_name', 'last_name', 'code', 'email', 'mobile', 'place', 'sign_in', 'plan'] as const

export const mergePeople = defineCall({
  summary:
    'Merge two people: one stays and gets groups, assignments and what is missing; the other is deactivated and points to them',
  method: 'POST',
  path: '/api/console/people/merge',
  body: Type.Object(
    {
      stays: PersonUid,
      goes: PersonUid,
      /** Of both people as they were read. */
      stays_version: Type.String({ minLength: 1, maxLength: 100 }),
      goes_version: Type.String({ minLength: 1, maxLength: 100 }),
      /** Taken from the one who goes. What the one who stays does not have is taken without being named. */
      take: Type.Array(Type.Enum([...mergedFields]), { maxItems: mergedFields.length }),
    },
    closed,
  ),
  reply: Type.Object({ status: Type.Literal('merged') }),
  policy,
  refusals: [
    ...(['busy', 'not_found', 'forbidden', 'changed_since', 'in_event', 'last_administrator'] as const),
    ...(['invalid_transition', 'beyond_reach', 'confirm_identity'] as const),
  ],
})
