import { type Static, Type } from 'typebox'
import { consoleRights, reachKinds } from '#kernel/console-kinds.ts'
import { ClientUid, PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { AuthReply } from './sign-in.ts'

const closed = { additionalProperties: false } as const

/** Stands between password and code: 5 minutes, once. */
const Ticket = Type.String({ minLength: 1, maxLength: 200 })
/** Six digits of the authenticator, or a recovery code where one is taken. Spaces and dashes do not count. */
const Code = Type.String({ minLength: 1, maxLength: 40 })

/** What follows the password: a code, or setting up the second factor. */
export type NextStep = Static<typeof NextStep>
export const NextStep = Type.Object({ ticket: Type.String(), step: Type.Enum(['code', 'enrol']) })

/** Who is signed in to the console, in which organisation, and how far the grant reaches. */
export type Me = Static<typeof Me>
export const Me = Type.Object({
  person: Type.Object({ uid: PersonUid, first_name: Type.String(), last_name: Type.String() }),
  organisation: Type.Object({ uid: ClientUid, name: Type.String(), timezone: Type.String() }),
  /** The name of the site or group. Null for the whole organisation. */
  reach: Type.Object({ kind: Type.Enum([...reachKinds]), name: Type.Union([Type.String(), Type.Null()]) }),
  sees_plans: Type.Boolean(),
  rights: Type.Array(Type.Enum([...consoleRights])),
  /** Other organisations that the same password has opened. */
  organisations: Type.Array(Type.Object({ uid: ClientUid, name: Type.String() })),
  recovery_codes_left: Type.Integer(),
})

const Opened = Type.Object({ access_token: Type.String(), me: Me })
const beforeSignIn = { policy: { access: 'public' }, countedByAddress: false } as const

export const signInToConsole = defineCall({
  summary: 'Sign in to the console: the password of an administrator',
  method: 'POST',
  path: '/api/console/sign-in',
  body: Type.Object(
    {
      /** Email or user name. The server trims it. */
      name: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 1000 }),
    },
    closed,
  ),
  reply: NextStep,
  ...beforeSignIn,
  refusals: ['invalid_credentials', 'not_an_administrator', 'too_many_attempts', 'elsewhere'],
})

export const giveCode = defineCall({
  summary: 'Open the session with a code of the second factor or a recovery code, each once',
  method: 'POST',
  path: '/api/console/sign-in/code',
  body: Type.Object({ ticket: Ticket, code: Code }, closed),
  reply: Opened,
  ...beforeSignIn,
  refusals: ['wrong_code', 'too_many_attempts'],
})

export const startEnrolment = defineCall({
  summary: 'Get the secret of a new second factor; the same ticket gets the same one',
  method: 'POST',
  path: '/api/console/sign-in/enrol',
  body: Type.Object({ ticket: Ticket }, closed),
  /** The secret in base 32, and the address that a QR code shows. */
  reply: Type.Object({ secret: Type.String(), uri: Type.String() }),
  ...beforeSignIn,
})

export const confirmEnrolment = defineCall({
  summary: 'Prove the new second factor with a code; the recovery codes are shown only once',
  method: 'POST',
  path: '/api/console/sign-in/enrol/confirm',
  body: Type.Object({ ticket: Ticket, code: Code }, closed),
  reply: Type.Object({ ...Opened.properties, recovery_codes: Type.Array(Type.String()) }),
  ...beforeSignIn,
  refusals: ['wrong_code', 'too_many_attempts'],
})

export const getMe = defineCall({
  summary: 'Who is signed in to the console, and what the grant allows',
  method: 'GET',
  path: '/api/console/me',
  reply: Me,
  policy: { access: 'console', right: 'any' },
})

export const confirmIdentity = defineCall({
  summary: 'Give a code again, which allows confirmed calls for ten minutes',
  method: 'POST',
  path: '/api/console/confirm',
  body: Type.Object({ code: Code }, closed),
  reply: Type.Object({ status: Type.Literal('confirmed') }),
  policy: { access: 'console', right: 'any' },
  refusals: ['wrong_code', 'too_many_attempts'],
})

export const switchOrganisation = defineCall({
  summary: 'Go to another organisation of the same password; its own second factor follows',
  method: 'POST',
  path: '/api/console/switch',
  body: Type.Object({ client: ClientUid }, closed),
  reply: NextStep,
  policy: { access: 'console', right: 'any' },
  refusals: ['not_found'],
})

export const openWardenSession = defineCall({
  summary: 'Sign the same account in on the warden side',
  method: 'POST',
  path: '/api/console/warden-session',
  reply: AuthReply,
  policy: { access: 'console', right: 'any' },
  refusals: ['unauthorized_access'],
})

export const renewRecoveryCodes = defineCall({
  summary: 'Make ten new recovery codes; the old ones no longer work',
  method: 'POST',
  path: '/api/console/recovery-codes',
  reply: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
  policy: { access: 'console', right: 'any', confirmed: true },
  refusals: ['confirm_identity'],
})

export const signOutOfConsole = defineCall({
  summary: 'End the console session; the warden side stays as it is',
  method: 'DELETE',
  path: '/api/console/session',
  reply: Type.Object({ status: Type.Literal('signed_out') }),
  policy: { access: 'console', right: 'any' },
})
