import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { endPlan, getPlan, listPlanNotices, listPlans, listPlanViews, notePlanTold, savePlan } from '../calls/plans.ts'
import { noteTold, presentNotices } from './list-notices.service.ts'
import { end, listRows, presentViews, save, view } from './plans.service.ts'

export async function plansRoutes(app: FastifyInstance) {
  serveConsole(app, listPlans, ({ administrator, input, read }) =>
    read((tx) => listRows(app, tx, administrator, input.query)),
  )
  // the entry of the view is committed before the answer; `write` would keep the plan's text for a repeat
  serveConsole(app, getPlan, ({ administrator, input, read }) =>
    read((tx) => view(tx, administrator, input.params.personUid)),
  )
  serveConsole(app, savePlan, ({ administrator, input: { params, body }, writeWithAccounts }) =>
    writeWithAccounts((tx) => save(app, tx, administrator, params.personUid, body)),
  )
  serveConsole(app, endPlan, ({ administrator, input: { params, body }, writeWithAccounts }) =>
    writeWithAccounts((tx) => end(app, tx, administrator, params.personUid, body)),
  )
  serveConsole(app, listPlanViews, ({ administrator, input, read }) =>
    read((tx) => presentViews(tx, administrator, input.params.personUid)),
  )
  serveConsole(app, listPlanNotices, ({ administrator, input, read }) =>
    read((tx) => presentNotices(tx, administrator, input.params.personUid)),
  )
  serveConsole(app, notePlanTold, ({ administrator, input: { params, body }, write }) =>
    write((tx) => noteTold(tx, administrator, params.personUid, body)),
  )
}
