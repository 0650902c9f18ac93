import { listPlanReaders, openEventPlan } from '@evac/contract/calls/command/plans.ts'
import { plainPages } from '@evac/contract/plain-pages.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { servePlain, takePlainPages } from '../../http/plain-pages.ts'
import { onDuty } from '../../wardens/actor.ts'
import { readNotice } from './notice-page.service.ts'
import { openPlan } from './opening.service.ts'
import { presentReaders } from './readers.service.ts'

export async function planAccessRoutes(app: FastifyInstance) {
  // the entry is committed before the answer; `write` would keep the plan's text for a repeat
  serve(app, openEventPlan, ({ actor, input: { params, body }, read }) =>
    read((tx) => openPlan(tx, onDuty(actor), params.personId, body)),
  )
  serve(app, listPlanReaders, ({ actor, read }) => read((tx) => presentReaders(tx, onDuty(actor))))
  await app.register(noticePages)
}

/** Pages without script, for whoever has the address. */
async function noticePages(app: FastifyInstance) {
  takePlainPages(app)
  servePlain(app, plainPages.readPlanNotice, (handling) => readNotice(app, handling))
}
