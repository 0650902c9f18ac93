import { clientsLeft } from '#features/duty/server/go-on-duty.service.ts'
import { askedHeader, deviceHeader } from '#kernel/write-headers.ts'
import { ownTransactions, routes, withAccounts } from '#server/http/routes.ts'
import { readKey, selfGuarded } from '#server/http/serve.ts'
import { deviceOf } from '#server/platform/device.ts'
import { inStrangersTurn } from '#server/platform/fair-turns.ts'
import * as calls from '../calls/sign-in.ts'
import { proveSession } from './link.queries.ts'
import { redeemLink, requestLink } from './mobile-link.service.ts'
import { rejoinOnce } from './rejoin.service.ts'
import { openReportInLink } from './report-in-link.service.ts'
import { endOfSession } from './session.service.ts'
import { profileOf, signIn, signOut } from './sign-in.service.ts'

export const signInRoutes = routes(calls, {
  login: async ({ app, body, request, network, setHeader }) => {
    const asker = { network, device: request.headers[deviceHeader]?.toString() }
    const { reply, device } = await signIn(app, body, asker, deviceOf(request))
    setHeader(deviceHeader, device)
    return reply
  },
  loginByMobile: ({ app, body, network }) => requestLink(app, body.phone, network),
  verifyLoginByMobile: ({ app, body, request, network }) =>
    inStrangersTurn(network.site, () =>
      redeemLink(app, body.token, {
        nonce: readKey(request),
        asked: request.headers[askedHeader] === '1',
        device: deviceOf(request),
      }),
    ),
  verifyLoginReportIn: ({ app, body, request, network }) =>
    inStrangersTurn(network.site, () => openReportInLink(app, body.token, deviceOf(request))),
  rejoin: selfGuarded((write, { app }) => rejoinOnce(app, write)),
  noteHere: withAccounts(async ({ tx, app, actor }) => {
    await proveSession(tx, actor.sessionUid, endOfSession(app.clock))
    return { status: 'here' as const }
  }),
  getProfile: ({ tx, actor }) => profileOf(tx, actor),
  logout: ownTransactions(async ({ app, actor, write }) => {
    const clientUids = await clientsLeft(app.system, actor)
    return write((tx) => signOut(tx, actor, clientUids), clientUids)
  }),
})
