import type { FastifyInstance } from 'fastify'
import { serve, serveSelfGuarded } from '#server/http/serve.ts'
import {
  getReportData,
  getReportInCardByLink,
  getRole,
  listReportInCards,
  logSignIn as logSignInCall,
  markNotAvailable,
  markOnDuty,
  reportIn,
  reportNotAvailable,
} from '../calls/report-in.ts'
import { getOwnSignIn, goNotAvailable, goOnDuty, reportOwnIn } from './go-on-duty.service.ts'
import { chiefOf, logSignIn, presentCardOfSignIn, presentCards, reportData, signInToLog } from './report-in.service.ts'

export async function reportInRoutes(app: FastifyInstance) {
  const { hot, system, secrets } = app

  serve(app, listReportInCards, ({ actor, readInTurn }) => readInTurn(() => presentCards(hot, secrets.cards, actor)))

  serve(app, getReportInCardByLink, async ({ actor, input }) => {
    const own = await getOwnSignIn(system, actor, input.query.WardenSignInUID)
    return presentCardOfSignIn(hot, secrets.cards, actor, own.uid)
  })

  for (const call of [getReportData, getRole])
    serve(app, call, async ({ actor, readOften }) => {
      const chief = await chiefOf(app, actor)
      return readOften((tx) => reportData(tx, actor, chief))
    })

  serve(app, markOnDuty, async ({ actor, input, write }) => {
    const own = await getOwnSignIn(system, actor, input.body.Warden_Sign_In_UID)
    return write((tx) => goOnDuty(tx, { ...actor, clientUid: own.clientUid }, own.uid), [own.clientUid])
  })

  serve(app, markNotAvailable, async ({ actor, input, write }) => {
    const own = await getOwnSignIn(system, actor, input.body.Warden_Sign_In_UID)
    return write((tx) => goNotAvailable(tx, { ...actor, clientUid: own.clientUid }, own.uid), [own.clientUid])
  })

  serveSelfGuarded(app, reportIn, (write) => reportOwnIn(app, write))

  serve(app, reportNotAvailable, ({ actor, write }) => write((tx) => goNotAvailable(tx, actor, actor.signIn?.uid)))

  serve(app, logSignInCall, async ({ actor, input, write }) => {
    const peerEmail = input.body?.peer_email || null
    const of = await signInToLog(system, actor, peerEmail)
    return write((tx) => logSignIn(tx, actor, of, peerEmail), [of.clientUid])
  })
}
