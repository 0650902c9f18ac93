import type { FastifyInstance } from 'fastify'
import { plainPages } from '#kernel/plain-pages.ts'
import { servePlain, takePlainPages } from '#server/http/plain-pages.ts'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { listPlanReaders, openEventPlan } from '../../calls/plan-access.ts'
import { readNotice } from './notice-page.service.ts'
import { openPlan } from './open-peep.service.ts'
import { presentReaders } from './peep-readers.service.ts'

export async function planAccessRoutes(app: FastifyInstance) {
  // the entry is committed before the answer; `write` would keep the plan's text for a repeat
  serve(app, openEventPlan, ({ actor, input: { params, body }, read }) =>
    read((tx) => openPlan(tx, onDuty(actor), params.personId, body)),
  )
  serve(app, listPlanReaders, ({ actor, read }) => read((tx) => presentReaders(tx, onDuty(actor))))
  await app.register(noticePages)
}

/** Pages without script, for the person who has the address. */
async function noticePages(app: FastifyInstance) {
  takePlainPages(app)
  servePlain(app, plainPages.readPlanNotice, (handling) => readNotice(app, handling))
}
