import { type Static, Type } from 'typebox'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const Nullable = Type.Null()
const closed = { additionalProperties: false } as const

export type SignInOrigin = Static<typeof SignInOrigin>
export const SignInOrigin = Type.Object({
  person: PersonUid,
  name: Type.String(),
  /** Who entered the email, mobile or user name of today, and when. Null if no one did in the console. */
  address: Type.Union([Type.Object({ by: Type.String(), at: Type.String() }), Nullable]),
  /** The password was set by a link that an administrator had seen, and not changed since. */
  password_was_shown: Type.Boolean(),
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
