import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/overview.ts'
import { keepAside, presentOverview } from './overview.service.ts'

export const overviewRoutes = routes(calls, {
  getOverview: ({ tx, app, administrator }) => presentOverview(tx, administrator, app.config.smsGateways),
  putStepAside: ({ tx, administrator, params, body }) => keepAside(tx, administrator, { params, body }),
})
