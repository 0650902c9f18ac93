import type { FastifyInstance } from 'fastify'
import { plainPages } from '#kernel/plain-pages.ts'
import { servePlain, takePlainPages } from '#server/http/plain-pages.ts'
import { reading, routes } from '#server/http/routes.ts'
import * as calls from '../../calls/plan-access.ts'
import { readNotice } from './notice-page.service.ts'
import { openPlan } from './open-peep.service.ts'
import { presentReaders } from './peep-readers.service.ts'

export const planAccessRoutes = routes(calls, {
  // the entry is committed before the answer; `write` would keep the plan's text for a repeat
  openEventPlan: reading(({ tx, actor, params, body }) => openPlan(tx, actor, params.personId, body)),
  listPlanReaders: ({ tx, actor }) => presentReaders(tx, actor),
})

/** Pages without script, for the person who has the address. */
export async function noticePages(app: FastifyInstance) {
  takePlainPages(app)
  servePlain(app, plainPages.readPlanNotice, (handling) => readNotice(app, handling))
}
