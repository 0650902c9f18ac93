import type { AuthReply } from '#features/sign-in/calls/sign-in.ts'
import type { AssignmentUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { type ModuleFlag, moduleFlags } from '#kernel/vocabulary.ts'
import type { StoredAuth } from '../session/stored-auth.ts'

export const someSignIn = '00000000-0000-4000-8000-00000000a001' as SignInUid
export const someAssignment = '00000000-0000-4000-8000-00000000a002' as AssignmentUid
export const somePerson = '00000000-0000-4000-8000-00000000a003' as PersonUid

/** Flags of a role: all nine, or the given ones only. */
export const flags = (...given: ModuleFlag[]) =>
  Object.fromEntries(
    moduleFlags.map((flag) => [flag, given.length === 0 || given.includes(flag)]),
  ) as StoredAuth['module_access']
export const noFlags = Object.fromEntries(moduleFlags.map((flag) => [flag, false])) as StoredAuth['module_access']

/** What the server answers to a sign-in of a warden on duty with all nine modules. */
export const authReply = (overrides: Partial<AuthReply> = {}): AuthReply => ({
  token_type: 'Bearer',
  access_token: 'token-1',
  WardenSignInUID: someSignIn,
  Warden_Assignment_UID: someAssignment,
  Person_UID: somePerson,
  module_access: flags(),
  on_duty: true,
  peer_email: null,
  event: { status: true, goToReportInListPage: false },
  event_kind: 'live',
  ...overrides,
})

export const storedAuth = (overrides: Partial<StoredAuth> = {}): StoredAuth => ({
  ...authReply(),
  access_token: 'Bearer token-1',
  signInMethod: 'Email',
  isReportInToken: false,
  reportInDetails: null,
  reportInDetailsOf: null,
  ...overrides,
})
