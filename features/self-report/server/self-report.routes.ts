import type { FastifyInstance, FastifyRequest } from 'fastify'
import { plainPages } from '#kernel/plain-pages.ts'
import { tokenHashOf } from '#server/http/guard.ts'
import { fingerprintOf } from '#server/http/idempotency.ts'
import { servePlain, takePlainPages } from '#server/http/plain-pages.ts'
import { ownTransactions, routes, withAccounts, writing } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import { keyring } from '#server/platform/secrets.ts'
import { type Actor, onDuty } from '#server/wardens/actor.ts'
import * as calls from '../calls.ts'
import { acceptAll, dismissAll, type Handler, handle } from './handling.service.ts'
import { openReport } from './open-page.service.ts'
import { openPage, presentPoster, renewCode } from './poster.service.ts'
import { presentReports, readReport } from './reports.service.ts'
import { sendReport } from './send-report.service.ts'
import { openTexts } from './texts/text-reports.service.ts'

export const selfReportRoutes = routes(calls, ({ secrets, config: { appUrl } }) => ({
  listReports: ({ tx, actor, query }) => presentReports(tx, actor, keyring(secrets, 'selfLinks'), query),
  // an answer is read behind the change: what is kept for a repeat holds no names or words
  handleReport: ownTransactions(async ({ actor, params, body, request, read, writeWithAccounts }) => {
    const by = handlerOf(actor, request)
    await writeWithAccounts((tx) => handle(tx, by, params.uid, body))
    return read((tx) => readReport(tx, by.actor, params.uid))
  }),
  acceptReports: withAccounts(({ tx, actor, body, request }) =>
    acceptAll(tx, handlerOf(actor, request), keyring(secrets, 'selfLinks'), body),
  ),
  dismissReports: ({ tx, actor, body, request }) =>
    dismissAll(tx, handlerOf(actor, request), keyring(secrets, 'selfLinks'), body),
  openReportPage: ({ tx, actor, body }) => openPage(tx, actor, body),
  openUnknownTexts: ({ tx, actor, body }) => openTexts(tx, actor, body),
  getReportCode: writing(({ tx, actor, query }) => presentPoster(tx, actor, query.site, appUrl)),
  makeReportCode: ownTransactions(async ({ actor, body, read, write }) => {
    await write((tx) => renewCode(tx, actor, body.site))
    return read((tx) => presentPoster(tx, actor, body.site, appUrl))
  }),
}))

/** The record statement knows its sender by the session. */
function handlerOf(actor: Actor, request: FastifyRequest): Handler {
  const tokenHash = tokenHashOf(request)
  if (!tokenHash) throw new Refusal('not_signed_in')
  return { actor: onDuty(actor), tokenHash, fingerprint: fingerprintOf(request.method, request.url, request.body) }
}

/** Pages without script, for the person who has the address. */
export async function reportPages(app: FastifyInstance) {
  takePlainPages(app)
  servePlain(app, plainPages.openReport, (handling) => openReport(app, handling))
  servePlain(app, plainPages.sendReport, (handling) => sendReport(app, handling))
}
