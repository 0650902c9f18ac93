import type { FastifyInstance } from 'fastify'
import { serve, serveConsole } from '#server/http/serve.ts'
import { deviceOf } from '#server/platform/device.ts'
import {
  confirmEnrolment,
  confirmIdentity,
  getMe,
  giveCode,
  openWardenSession,
  renewRecoveryCodes,
  signInToConsole,
  signOutOfConsole,
  startEnrolment,
  switchOrganisation,
} from '../../calls/console-sign-in.ts'
import { confirm, openOnWardenSide, presentMe, signOut } from './console-session.service.ts'
import { confirmEnrolled, enrol, renewCodes, signIn, signInWithCode, switchTo } from './console-sign-in.service.ts'

export async function consoleSignInRoutes(app: FastifyInstance) {
  serve(app, signInToConsole, ({ input, network }) => signIn(app, input.body, network))
  serve(app, giveCode, ({ input, network }) => signInWithCode(app, input.body, network))
  serve(app, startEnrolment, ({ input, network }) => enrol(app, input.body, network))
  serve(app, confirmEnrolment, ({ input, network }) => confirmEnrolled(app, input.body, network))
  serveConsole(app, getMe, ({ administrator }) => presentMe(app, administrator))
  serveConsole(app, confirmIdentity, ({ administrator, input, network }) =>
    confirm(app, administrator, input.body.code, network),
  )
  serveConsole(app, switchOrganisation, ({ administrator, input }) => switchTo(app, administrator, input.body.client))
  serveConsole(app, openWardenSession, ({ administrator, request }) =>
    openOnWardenSide(app, administrator, deviceOf(request)),
  )
  serveConsole(app, renewRecoveryCodes, ({ administrator }) => renewCodes(app, administrator))
  serveConsole(app, signOutOfConsole, ({ administrator, writeWithAccounts }) =>
    writeWithAccounts((tx) => signOut(tx, administrator)),
  )
}
