import { routes, withAccounts } from '#server/http/routes.ts'
import * as calls from '../../calls/coverage-ahead.ts'
import {
  askForOneDay,
  presentAhead,
  presentAskable,
  presentOwnDays,
  setDay,
  takeForOneDay,
} from './coverage-ahead.service.ts'

export const coverageAheadRoutes = routes(calls, {
  getCoverageAhead: ({ tx, actor, query }) => presentAhead(tx, actor, query),
  listAskable: ({ tx, actor, query }) => presentAskable(tx, actor, query),
  askForDay: withAccounts(({ tx, app, actor, body }) => askForOneDay(app, tx, actor, body)),
  getOwnDays: ({ tx, actor }) => presentOwnDays(tx, actor),
  setOwnDay: ({ tx, actor, body }) => setDay(tx, actor, body),
  takeForDay: withAccounts(({ tx, app, actor, body }) => takeForOneDay(app, tx, actor, body)),
})
