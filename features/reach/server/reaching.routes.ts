import { routes } from '#server/http/routes.ts'
import * as calls from '../calls/reaching.ts'
import { presentReaching, save } from './reaching.service.ts'

export const reachingRoutes = routes(calls, {
  getReaching: ({ tx, administrator }) => presentReaching(tx, administrator),
  saveReaching: ({ tx, administrator, body }) => save(tx, administrator, body),
})
