import { type Outside, ownTransactions, routes } from '#server/http/routes.ts'
import { selfGuarded } from '#server/http/serve.ts'
import * as calls from '../calls/report-in.ts'
import { getOwnSignIn, goNotAvailable, goOnDuty, reportOwnIn } from './go-on-duty.service.ts'
import { chiefOf, logSignIn, presentCardOfSignIn, presentCards, reportData, signInToLog } from './report-in.service.ts'

export const reportInRoutes = routes(calls, {
  listReportInCards: ownTransactions(({ app, actor, readInTurn }) =>
    readInTurn(() => presentCards(app.hot, app.secrets.cards, actor)),
  ),

  getReportInCardByLink: ownTransactions(async ({ app, actor, query }) => {
    const own = await getOwnSignIn(app.system, actor, query.WardenSignInUID)
    return presentCardOfSignIn(app.hot, app.secrets.cards, actor, own.uid)
  }),

  getReportData: ownTransactions((asked) => presentReportData(asked)),
  getRole: ownTransactions((asked) => presentReportData(asked)),

  markOnDuty: ownTransactions(async ({ app, actor, body, write }) => {
    const own = await getOwnSignIn(app.system, actor, body.Warden_Sign_In_UID)
    return write((tx) => goOnDuty(tx, { ...actor, clientUid: own.clientUid }, own.uid), [own.clientUid])
  }),

  markNotAvailable: ownTransactions(async ({ app, actor, body, write }) => {
    const own = await getOwnSignIn(app.system, actor, body.Warden_Sign_In_UID)
    return write((tx) => goNotAvailable(tx, { ...actor, clientUid: own.clientUid }, own.uid), [own.clientUid])
  }),

  reportIn: selfGuarded((write, { app }) => reportOwnIn(app, write)),

  reportNotAvailable: ({ tx, actor }) => goNotAvailable(tx, actor, actor.signIn?.uid),

  logSignIn: ownTransactions(async ({ app, actor, body, write }) => {
    const peerEmail = body?.peer_email || null
    const of = await signInToLog(app.system, actor, peerEmail)
    return write((tx) => logSignIn(tx, actor, of, peerEmail), [of.clientUid])
  }),
})

async function presentReportData({ app, actor, readOften }: Outside<typeof calls.getRole>) {
  const chief = await chiefOf(app, actor)
  return readOften((tx) => reportData(tx, actor, chief))
}
