import { routes, withAccounts } from '#server/http/routes.ts'
import * as calls from '../calls/plans.ts'
import { noteTold, presentNotices } from './list-notices.service.ts'
import { end, listRows, presentViews, save, view } from './plans.service.ts'

export const plansRoutes = routes(calls, {
  listPlans: ({ tx, app, administrator, query }) => listRows(app, tx, administrator, query),
  // the entry of the view is committed before the answer; `write` would keep the plan's text for a repeat
  getPlan: ({ tx, administrator, params }) => view(tx, administrator, params.personUid),
  savePlan: withAccounts(({ tx, app, administrator, params, body }) =>
    save(app, tx, administrator, params.personUid, body),
  ),
  endPlan: withAccounts(({ tx, app, administrator, params, body }) =>
    end(app, tx, administrator, params.personUid, body),
  ),
  listPlanViews: ({ tx, administrator, params }) => presentViews(tx, administrator, params.personUid),
  listPlanNotices: ({ tx, administrator, params }) => presentNotices(tx, administrator, params.personUid),
  notePlanTold: ({ tx, administrator, params, body }) => noteTold(tx, administrator, params.personUid, body),
})
