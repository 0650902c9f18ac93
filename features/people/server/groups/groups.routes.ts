import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/groups.ts'
import { add, change, list, present, setMembers } from './groups.service.ts'

export const groupsRoutes = routes(calls, {
  listGroups: ({ tx, app, administrator, query }) => list(app, tx, administrator, query),
  getGroup: ({ tx, administrator, params }) => present(tx, administrator, params.uid),
  addGroup: ({ tx, administrator, body }) => add(tx, administrator, body),
  changeGroup: ({ tx, administrator, params, body }) => change(tx, administrator, params.uid, body),
  changeMembers: ({ tx, administrator, params, body }) => setMembers(tx, administrator, params.uid, body),
})
