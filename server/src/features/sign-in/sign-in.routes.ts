import {
  getProfile,
  login,
  loginByMobile,
  logout,
  rejoin,
  verifyLoginByMobile,
  verifyLoginReportIn,
} from '@evac/contract/sign-in.ts'
import type { FastifyInstance } from 'fastify'
import { readKey, serve, serveSelfGuarded } from '../../platform/http.ts'
import { clientsLeft } from '../report-in/attendance.service.ts'
import { redeemLink, requestLink } from './mobile-link.service.ts'
import { rejoinOnce } from './rejoin.service.ts'
import { openReportInLink } from './report-in-link.service.ts'
import { profileOf, signIn, signOut } from './sign-in.service.ts'

export async function signInRoutes(app: FastifyInstance) {
  serve(app, login, ({ input, network }) => signIn(app, input.body.email, input.body.password, network))
  serve(app, loginByMobile, ({ input, network }) => requestLink(app, input.body.phone, network))
  serve(app, verifyLoginByMobile, ({ input, request }) => redeemLink(app, input.body.token, readKey(request)))
  serve(app, verifyLoginReportIn, ({ input }) => openReportInLink(app, input.body.token))
  serveSelfGuarded(app, rejoin, (write) => rejoinOnce(app, write))
  serve(app, getProfile, ({ actor, read }) => read((tx) => profileOf(tx, actor)) as never)
  serve(app, logout, async ({ actor, write }) => {
    const clientUids = await clientsLeft(app.system, actor)
    return write((tx) => signOut(tx, actor, clientUids), clientUids)
  })
}
