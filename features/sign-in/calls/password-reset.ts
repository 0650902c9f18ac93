import { type Static, Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

/** Why a new password was rejected: the link is invalid (used, expired, or replaced by a newer one), or the password breaks a rule. */
export type NewPasswordProblem = (typeof newPasswordProblems)[number]
export const newPasswordProblems = ['link_over', 'too_short', 'too_long', 'too_common', 'own_name'] as const

/** Not served if another page resets passwords or there is no mail server. */
export const requestPasswordReset = defineCall({
  summary: 'Mail a link to set a new password; the same answer for every address',
  method: 'POST',
  path: '/api/v2/auth/request-password-reset',
  /** Trimmed by the server. */
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) }, { additionalProperties: false }),
  reply: Type.Object({ status: Type.Literal('accepted') }),
  policy: { access: 'public' },
  refusals: ['too_many_attempts'],
  countedByAddress: false,
})

export const resetPassword = defineCall({
  summary: 'Set a new password with the token of a mailed link, once; all sessions of the account end',
  method: 'POST',
  path: '/api/v2/auth/reset-password',
  body: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: 500 }),
      password: Type.String({ minLength: 1, maxLength: 1000 }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ outcome: Type.Enum(['changed', ...newPasswordProblems]) }),
  policy: { access: 'public' },
  refusals: ['too_many_attempts'],
  countedByAddress: false,
})

export type ResetOutcome = Static<typeof resetPassword.reply>['outcome']
