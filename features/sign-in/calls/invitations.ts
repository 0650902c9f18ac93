import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'
import { NextStep } from './console-sign-in.ts'
import { newPasswordProblems } from './password-reset.ts'

const closed = { additionalProperties: false } as const
const Token = Type.String({ minLength: 1, maxLength: 500 })

export const readInvitation = defineCall({
  summary: 'Who invites to what, by the token of an invitation; reading does not use it up',
  method: 'POST',
  path: '/api/console/invitation/read',
  body: Type.Object({ token: Token }, closed),
  reply: Type.Union([
    Type.Object({
      state: Type.Literal('open'),
      organisation: Type.String(),
      what: Type.String(),
      /** The account has a password: it is asked for, and the second factor follows. */
      has_password: Type.Boolean(),
    }),
    Type.Object({ state: Type.Literal('over') }),
  ]),
  policy: { access: 'public' },
  countedByAddress: false,
})

export const acceptInvitation = defineCall({
  summary:
    'Set the first password of an invited account, once, or give the one that it has; an administrator goes on with the second factor',
  method: 'POST',
  path: '/api/console/invitation/accept',
  body: Type.Object({ token: Token, password: Type.String({ minLength: 1, maxLength: 1000 }) }, closed),
  reply: Type.Union([
    NextStep,
    Type.Object({ done: Type.Literal(true) }),
    Type.Object({ problem: Type.Enum([...newPasswordProblems]) }),
  ]),
  policy: { access: 'public' },
  refusals: ['too_many_attempts', 'invalid_credentials'],
  countedByAddress: false,
})
