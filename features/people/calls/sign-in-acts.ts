import { Type } from 'typebox'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const policy = { access: 'console', right: 'people' } as const
const params = Type.Object({ uid: PersonUid })
const closed = { additionalProperties: false } as const

export const invitePerson = defineCall({
  summary:
    'Invite a warden or administrator by mail: with a link for a first password, or where one is set to the sign-in; a warden without e-mail by text, without a token',
  method: 'POST',
  path: '/api/console/people/:uid/invite',
  params,
  /** `told`: the account has a password, so that the mail has no link for one. */
  reply: Type.Object({ status: Type.Enum(['invited', 'told', 'texted']) }),
  policy,
  refusals: ['busy', 'not_found', 'forbidden', 'beyond_reach', 'confirm_identity', 'invalid_transition', 'taken'],
})

export const showInvitation = defineCall({
  summary: "Make an invitation and hand its link to the caller, once; an administrator's only where no mail is sent",
  method: 'POST',
  path: '/api/console/people/:uid/show-invitation',
  params,
  reply: Type.Object({
    /** Works once. */
    link: Type.String(),
    /** What is asked of the person: 'Floor Warden', 'administrator of a site'. */
    what: Type.String(),
    /** ISO 8601 */
    expires_at: Type.String(),
  }),
  policy,
  refusals: ['busy', 'not_found', 'forbidden', 'beyond_reach', 'confirm_identity', 'invalid_transition', 'taken'],
})

export const sendPasswordLink = defineCall({
  summary: 'Mail the account a link to set a new password, valid for 30 minutes',
  method: 'POST',
  path: '/api/console/people/:uid/password-link',
  params,
  reply: Type.Object({ status: Type.Literal('sent') }),
  policy,
  refusals: [
    'busy',
    'not_found',
    'forbidden',
    'beyond_reach',
    'confirm_identity',
    'invalid_transition',
    'too_many_attempts',
  ],
})

export const signOutPerson = defineCall({
  summary:
    'End every session of a person at this organisation, of both sides; someone on duty is taken off duty if the caller asks for it, with a code',
  method: 'POST',
  path: '/api/console/people/:uid/sign-out',
  params,
  body: Type.Object({ take_off_duty: Type.Boolean() }, closed),
  reply: Type.Object({ status: Type.Literal('signed_out') }),
  policy,
  refusals: ['busy', 'not_found', 'forbidden', 'beyond_reach', 'confirm_identity', 'on_duty'],
})
