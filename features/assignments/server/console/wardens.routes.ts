import { ownTransactions, reading, routes, withAccounts } from '#server/http/routes.ts'
import * as calls from '../../calls/wardens.ts'
import { offer } from './assignment-offers.service.ts'
import { change, presentAssignments, withdraw, writeFile } from './edit-assignments.service.ts'
import { change as changeOneRole, makeRole, presentRoles } from './roles.service.ts'

const done = { status: 'done' } as const

export const wardensRoutes = routes(calls, {
  listRoles: ({ tx, administrator }) => presentRoles(tx, administrator),
  addRole: withAccounts(async ({ tx, app, administrator, body }) => ({
    uid: await makeRole(app, tx, administrator, body),
  })),
  changeRole: ownTransactions(async ({ app, administrator, params, body, writeWithAccounts }) => {
    await writeWithAccounts((tx) => changeOneRole(app, tx, administrator, params.uid, body))
    return done
  }),
  listAssignments: ({ tx, app, administrator, query }) => presentAssignments(app, tx, administrator, query),
  // no reply is stored: it has names
  downloadAssignments: reading(({ tx, administrator, body }) => writeFile(tx, administrator, body)),
  offerRole: withAccounts(({ tx, app, administrator, body }) => offer(app, tx, administrator, body)),
  changeAssignment: ownTransactions(async ({ app, administrator, params, body, writeWithAccounts }) => {
    await writeWithAccounts((tx) => change(app, tx, administrator, params.uid, body))
    return done
  }),
  withdrawAssignment: ownTransactions(async ({ administrator, params, body, write }) => {
    const status = await write((tx) => withdraw(tx, administrator, params.uid, body.reason))
    return { status }
  }),
})
