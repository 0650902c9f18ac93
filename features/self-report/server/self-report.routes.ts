import type { FastifyInstance, FastifyRequest } from 'fastify'
import { plainPages } from '#kernel/plain-pages.ts'
import { tokenHashOf } from '#server/http/guard.ts'
import { fingerprintOf } from '#server/http/idempotency.ts'
import { servePlain, takePlainPages } from '#server/http/plain-pages.ts'
import { serve } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, onDuty } from '#server/wardens/actor.ts'
import {
  acceptReports,
  dismissReports,
  getReportCode,
  handleReport,
  listReports,
  makeReportCode,
  openReportPage,
  openUnknownTexts,
} from '../calls.ts'
import { acceptAll, dismissAll, type Handler, handle } from './handling.service.ts'
import { openReport } from './open-page.service.ts'
import { openPage, presentPoster, renewCode } from './poster.service.ts'
import { presentReports, readReport } from './reports.service.ts'
import { sendReport } from './send-report.service.ts'
import { openTexts } from './texts/text-reports.service.ts'

export async function selfReportRoutes(app: FastifyInstance) {
  const key = app.secrets.selfLinks
  const { appUrl } = app.config
  serve(app, listReports, ({ actor, input, read }) => read((tx) => presentReports(tx, onDuty(actor), key, input.query)))
  // an answer is read behind the change: what is kept for a repeat holds no names or words
  serve(app, handleReport, async ({ actor, input, request, read, writeWithAccounts }) => {
    const by = handlerOf(actor, request)
    await writeWithAccounts((tx) => handle(tx, by, input.params.uid, input.body))
    return read((tx) => readReport(tx, by.actor, input.params.uid))
  })
  serve(app, acceptReports, ({ actor, input, request, writeWithAccounts }) =>
    writeWithAccounts((tx) => acceptAll(tx, handlerOf(actor, request), key, input.body)),
  )
  serve(app, dismissReports, ({ actor, input, request, write }) =>
    write((tx) => dismissAll(tx, handlerOf(actor, request), key, input.body)),
  )
  serve(app, openReportPage, ({ actor, input, write }) => write((tx) => openPage(tx, onDuty(actor), input.body)))
  serve(app, openUnknownTexts, ({ actor, input, write }) => write((tx) => openTexts(tx, onDuty(actor), input.body)))
  serve(app, getReportCode, ({ actor, input, write }) =>
    write((tx) => presentPoster(tx, actor, input.query.site, appUrl)),
  )
  serve(app, makeReportCode, async ({ actor, input, read, write }) => {
    await write((tx) => renewCode(tx, actor, input.body.site))
    return read((tx) => presentPoster(tx, actor, input.body.site, appUrl))
  })
  await app.register(reportPages)
}

/** The record statement knows its sender by the session. */
function handlerOf(actor: Actor, request: FastifyRequest): Handler {
  const tokenHash = tokenHashOf(request)
  if (!tokenHash) throw new Refusal('not_signed_in')
  return { actor: onDuty(actor), tokenHash, fingerprint: fingerprintOf(request.method, request.url, request.body) }
}

/** Pages without script, for the person who has the address. */
async function reportPages(app: FastifyInstance) {
  takePlainPages(app)
  servePlain(app, plainPages.openReport, (handling) => openReport(app, handling))
  servePlain(app, plainPages.sendReport, (handling) => sendReport(app, handling))
}
