import { ownTransactions, routes, withAccounts } from '#server/http/routes.ts'
import { deviceOf } from '#server/platform/device.ts'
import * as calls from '../../calls/console-sign-in.ts'
import { confirm, openOnWardenSide, presentMe, signOut } from './console-session.service.ts'
import { confirmEnrolled, enrol, renewCodes, signIn, signInWithCode, switchTo } from './console-sign-in.service.ts'

export const consoleSignInRoutes = routes(calls, {
  signInToConsole: ({ app, body, network }) => signIn(app, body, network),
  giveCode: ({ app, body, network }) => signInWithCode(app, body, network),
  startEnrolment: ({ app, body, network }) => enrol(app, body, network),
  confirmEnrolment: ({ app, body, network }) => confirmEnrolled(app, body, network),
  getMe: ownTransactions(({ app, administrator }) => presentMe(app, administrator)),
  confirmIdentity: ownTransactions(({ app, administrator, body, network }) =>
    confirm(app, administrator, body.code, network),
  ),
  switchOrganisation: ownTransactions(({ app, administrator, body }) => switchTo(app, administrator, body.client)),
  openWardenSession: ownTransactions(({ app, administrator, request }) =>
    openOnWardenSide(app, administrator, deviceOf(request)),
  ),
  renewRecoveryCodes: ownTransactions(({ app, administrator }) => renewCodes(app, administrator)),
  signOutOfConsole: withAccounts(({ tx, administrator }) => signOut(tx, administrator)),
})
