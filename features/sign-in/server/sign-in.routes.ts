import type { FastifyInstance } from 'fastify'
import { clientsLeft } from '#features/duty/server/go-on-duty.service.ts'
import { askedHeader, deviceHeader } from '#kernel/write-headers.ts'
import { readKey, serve, serveSelfGuarded } from '#server/http/serve.ts'
import { deviceOf } from '#server/platform/device.ts'
import { inStrangersTurn } from '#server/platform/fair-turns.ts'
import {
  getProfile,
  login,
  loginByMobile,
  logout,
  noteHere,
  rejoin,
  verifyLoginByMobile,
  verifyLoginReportIn,
} from '../calls/sign-in.ts'
import { proveSession } from './link.queries.ts'
import { redeemLink, requestLink } from './mobile-link.service.ts'
import { rejoinOnce } from './rejoin.service.ts'
import { openReportInLink } from './report-in-link.service.ts'
import { endOfSession } from './session.service.ts'
import { profileOf, signIn, signOut } from './sign-in.service.ts'

export async function signInRoutes(app: FastifyInstance) {
  serve(app, login, async ({ input, network, request, setHeader }) => {
    const asker = { network, device: request.headers[deviceHeader]?.toString() }
    const { reply, device } = await signIn(app, input.body, asker, deviceOf(request))
    setHeader(deviceHeader, device)
    return reply
  })
  serve(app, loginByMobile, ({ input, network }) => requestLink(app, input.body.phone, network))
  serve(app, verifyLoginByMobile, ({ input, network, request }) =>
    inStrangersTurn(network.site, () =>
      redeemLink(app, input.body.token, {
        ...{ nonce: readKey(request), asked: request.headers[askedHeader] === '1', device: deviceOf(request) },
      }),
    ),
  )
  serve(app, verifyLoginReportIn, ({ input, network, request }) =>
    inStrangersTurn(network.site, () => openReportInLink(app, input.body.token, deviceOf(request))),
  )
  serveSelfGuarded(app, rejoin, (write) => rejoinOnce(app, write))
  serve(app, noteHere, ({ actor, writeWithAccounts }) =>
    writeWithAccounts(async (tx) => {
      await proveSession(tx, actor.sessionUid, endOfSession(app.clock))
      return { status: 'here' as const }
    }),
  )
  serve(app, getProfile, ({ actor, read }) => read((tx) => profileOf(tx, actor)))
  serve(app, logout, async ({ actor, write }) => {
    const clientUids = await clientsLeft(app.system, actor)
    return write((tx) => signOut(tx, actor, clientUids), clientUids)
  })
}
