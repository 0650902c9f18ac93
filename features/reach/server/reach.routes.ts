import { routes } from '#server/http/routes.ts'
import * as calls from '../calls/reach.ts'
import { act, presentReach } from './who-has-answered.service.ts'

export const reachRoutes = routes(calls, {
  getReach: ({ app, tx, actor, query }) => presentReach(app, tx, actor, query),
  actOnReach: ({ tx, actor, params, body }) => act(tx, actor, params, body),
})
