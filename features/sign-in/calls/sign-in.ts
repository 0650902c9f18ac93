import { type Static, Type } from 'typebox'
import { AssignmentUid, ClientUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { EventKindField } from '#kernel/vocabulary.schemas.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'

const Nullable = Type.Null()

/**
 * All nine flags. All are false unless the current assignment is accepted and in date, or was when its warden went on
 * duty.
 */
export type ModuleAccess = Static<typeof ModuleAccess>
export const ModuleAccess = Type.Record(Type.Enum([...moduleFlags]), Type.Boolean())

const authFields = {
  token_type: Type.Literal('Bearer'),
  access_token: Type.String(),
  WardenSignInUID: Type.Union([SignInUid, Nullable]),
  Warden_Assignment_UID: Type.Union([AssignmentUid, Nullable]),
  Person_UID: PersonUid,
  module_access: ModuleAccess,
  on_duty: Type.Boolean(),
  peer_email: Type.Union([Type.String(), Nullable]),
  event: Type.Object({ status: Type.Boolean(), goToReportInListPage: Type.Boolean() }),
  ...EventKindField,
}

/** The reply of every way to sign in. */
export type AuthReply = Static<typeof AuthReply>
export const AuthReply = Type.Object(authFields)

export const login = defineCall({
  summary: 'Sign in with email or username and password',
  method: 'POST',
  path: '/api/v2/auth/login',
  body: Type.Object(
    {
      /** Email or username. The server trims it. */
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 1000 }),
    },
    { additionalProperties: false },
  ),
  reply: AuthReply,
  policy: { access: 'public' },
  refusals: ['invalid_credentials', 'unauthorized_access', 'too_many_attempts', 'elsewhere'],
  countedByAddress: false,
})

export const loginByMobile = defineCall({
  summary: 'Send a sign-in link to a registered mobile',
  method: 'POST',
  path: '/api/v2/auth/login-by-mobile',
  /** Digits with country code. A leading '+' is accepted. */
  body: Type.Object({ phone: Type.String({ minLength: 1, maxLength: 40 }) }, { additionalProperties: false }),
  reply: Type.Object({
    mobile: Type.Union([Type.Literal('valid'), Type.Literal('invalid')]),
    /** The sentence for 'invalid', empty otherwise. */
    popup_text: Type.String(),
  }),
  policy: { access: 'public' },
  refusals: ['too_many_attempts'],
  countedByAddress: false,
})

const LinkToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false })
const Verified = Type.Object({ tokenStatus: Type.Literal('valid'), ...authFields })

/** Why a link does not sign anyone in. */
export const mobileLinkFailures = ['expired'] as const
export const reportInLinkFailures = ['invalid-concluded', 'invalid-notfound', 'invalid-expired'] as const
export type LinkFailure = (typeof mobileLinkFailures)[number] | (typeof reportInLinkFailures)[number]

export const verifyLoginByMobile = defineCall({
  summary:
    'Sign in with the token of a mobile link, once; the same Idempotency-Key may try again. With an Idempotency-Key and without `Evac-Asked: 1` the session lasts 10 minutes, and the link stays good, until POST /session/here',
  method: 'POST',
  path: '/api/v2/auth/verify-login-by-mobile',
  body: LinkToken,
  reply: Type.Union([Verified, Type.Object({ tokenStatus: Type.Enum([...mobileLinkFailures]) })]),
  policy: { access: 'public' },
  countedByAddress: false,
})

export const verifyLoginReportIn = defineCall({
  summary: 'Sign in to one event with the token of a report-in link; until the event ends',
  method: 'POST',
  path: '/api/v2/auth/verify-login-report-in',
  body: LinkToken,
  reply: Type.Union([Verified, Type.Object({ tokenStatus: Type.Enum([...reportInLinkFailures]) })]),
  policy: { access: 'public' },
  countedByAddress: false,
})

export const rejoin = defineCall({
  summary:
    "Sign in again as one of the account's own cards; the old token ends; the same Idempotency-Key is answered again for five minutes",
  method: 'POST',
  path: '/api/v2/auth/rejoin',
  body: Type.Union([
    Type.Object({ oauth_token: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
    Type.Object({ person_uid: PersonUid }, { additionalProperties: false }),
  ]),
  reply: AuthReply,
  policy: { access: 'session' },
  refusals: ['unauthorized_access'],
})

export const getProfile = defineCall({
  summary: 'Profile of the signed-in person',
  method: 'GET',
  path: '/api/user',
  reply: Type.Object({
    Firstname: Type.String(),
    Lastname: Type.String(),
    Email: Type.Union([Type.String(), Nullable]),
    Mobile: Type.Union([Type.String(), Nullable]),
    Is_Client_Master: Type.Boolean(),
    Client_UID: ClientUid,
    Primary_Location_Floor_UID: Type.Union([FloorUid, Nullable]),
  }),
  policy: { access: 'session' },
})

export const noteHere = defineCall({
  summary: 'The first touch or key in a browser that opened a sign-in link it had not asked for: the link is used up',
  method: 'POST',
  path: '/api/session/here',
  reply: Type.Object({ status: Type.Literal('here') }),
  policy: { access: 'session' },
})

export const logout = defineCall({
  summary: 'Go off duty and end the session, unless the event would lose its last manager',
  method: 'DELETE',
  path: '/api/auth/logout',
  reply: Type.Object({
    status: Type.Union([Type.Literal('logout_success'), Type.Literal('cannot_logout')]),
    message: Type.String(),
  }),
  policy: { access: 'session' },
})
