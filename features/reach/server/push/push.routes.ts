import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/push.ts'
import { presentKey, turnOff, turnOn } from './push-phones.service.ts'

export const pushRoutes = routes(calls, {
  getPushKey: async ({ app }) => presentKey(app),
  turnOnAlerts: ({ app, actor, body }) => turnOn(app, actor, body.endpoint),
  turnOffAlerts: ({ app, body }) => turnOff(app, body.endpoint),
})
