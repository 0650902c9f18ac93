import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/alarms.ts'
import { alarmsSince } from './alarms.service.ts'

export const alarmsRoutes = routes(calls, {
  getAlarms: ({ tx, actor, query }) => alarmsSince(tx, actor, query),
})
