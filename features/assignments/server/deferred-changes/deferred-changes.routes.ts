import { ownTransactions, routes } from '#server/http/routes.ts'
import * as calls from '../../calls/waiting.ts'
import { doNow, drop, presentNow } from './deferred-changes.service.ts'

export const waitingRoutes = routes(calls, {
  getNow: ({ tx, administrator }) => presentNow(tx, administrator),
  doWaitingNow: ownTransactions(async ({ app, administrator, params, writeWithAccounts }) => {
    await writeWithAccounts((tx) => doNow(app, tx, administrator, params.uid))
    return { status: 'done' as const }
  }),
  dropWaiting: ownTransactions(async ({ administrator, params, write }) => {
    await write((tx) => drop(tx, administrator, params.uid))
    return { status: 'dropped' as const }
  }),
})
