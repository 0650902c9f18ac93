import { type Static, Type } from 'typebox'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { signInChanges, type SignInChange as What } from './words.ts'

const Nullable = Type.Null()
const closed = { additionalProperties: false } as const

export type SignInOrigin = Static<typeof SignInOrigin>
export const SignInOrigin = Type.Object({
  person: PersonUid,
  name: Type.String(),
  /** Who entered the email, the mobile and the user name of today, and when, the oldest first. None who entered nothing in the console. */
  addresses: Type.Array(Type.Object({ by: Type.String(), at: Type.String() })),
  /** The password was set by a link that an administrator had seen, and not changed since. */
  password_was_shown: Type.Boolean(),
  /** Who merged another person into this one, whose password it was, and when. Null once it is changed. */
  password_merged: Type.Union([Type.Object({ by: Type.String(), at: Type.String() }), Nullable]),
})

export const readSignInOrigins = defineCall({
  summary: 'Who entered the addresses of these people, and whose password came by a link that was seen',
  method: 'POST',
  path: '/api/console/sign-in-origins',
  body: Type.Object({ people: Type.Array(PersonUid, { minItems: 1, maxItems: 50 }) }, closed),
  reply: Type.Array(SignInOrigin),
  policy: { access: 'console', right: 'wardens' },
  refusals: ['not_found'],
})

export type SignInChange = Static<typeof SignInChange>
export const SignInChange = Type.Object({
  uid: Type.String(),
  what: Type.Enum(Object.keys(signInChanges) as What[]),
  /** A name, or 'The operator'. */
  by: Type.String(),
  at: Type.String(),
})

/** Of the caller, by others, of 14 days, newest first, at most 20. */
export type OwnSignInChanges = Static<typeof OwnSignInChanges>
const OwnSignInChanges = Type.Object({
  changes: Type.Array(SignInChange),
  /** Whom to call: the contact address of the organisation, else its name. */
  contact: Type.String(),
})

export const listOwnSignInChanges = defineCall({
  summary: "What others changed in the warden's own sign-in in 14 days, newest first, at most 20",
  method: 'GET',
  path: '/api/sign-in-changes',
  reply: OwnSignInChanges,
  policy: { access: 'session' },
})

export const listSignInChanges = defineCall({
  summary: 'Changes of 14 days to sign-ins of people within reach, newest first, at most 20, and the own ones',
  method: 'GET',
  path: '/api/console/sign-in-changes',
  reply: Type.Object({
    rows: Type.Array(
      Type.Object({ ...SignInChange.properties, person: Type.Object({ uid: PersonUid, name: Type.String() }) }),
    ),
    /** How many there are in all. */
    total: Type.Integer(),
    own: OwnSignInChanges,
  }),
  policy: { access: 'console', right: 'any' },
})
