import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/coming-days.ts'
import { presentCoverage } from './coming-days.service.ts'

export const comingDaysRoutes = routes(calls, {
  getCoverage: ({ tx, administrator, query }) => presentCoverage(tx, administrator, query),
})
