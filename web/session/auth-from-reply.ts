import type { AuthReply } from '#features/sign-in/calls/sign-in.ts'
import type { SignInMethod } from '#kernel/vocabulary.ts'
import type { StoredAuth } from './stored-auth.ts'

/** Signed in by email or username with password. */
export const authFromPassword = (reply: AuthReply, signInMethod: SignInMethod): StoredAuth => ({
  ...reply,
  access_token: `${reply.token_type} ${reply.access_token}`,
  signInMethod,
  isReportInToken: false,
  reportInDetails: null,
  reportInDetailsOf: null,
})

/** Both link flows prefix 'Bearer '. */
export const authFromLink = (reply: AuthReply, isReportInToken: boolean): StoredAuth => ({
  ...authFromPassword(reply, 'Mobile'),
  access_token: `Bearer ${reply.access_token}`,
  isReportInToken,
})

/** A rejoin keeps the original sign-in method. */
export const authFromRejoin = (reply: AuthReply, before: StoredAuth): StoredAuth => ({
  ...authFromPassword(reply, before.signInMethod),
  isReportInToken: before.isReportInToken,
  reportInDetails: before.reportInDetails,
  reportInDetailsOf: before.reportInDetailsOf,
})
