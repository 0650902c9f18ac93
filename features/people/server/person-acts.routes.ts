import { ownTransactions, routes, withAccounts } from '#server/http/routes.ts'
import { inClients } from '#server/platform/db/db.ts'
import * as duplicates from '../calls/duplicates.ts'
import * as personData from '../calls/person-data.ts'
import { openDuplicates } from './duplicates.service.ts'
import { erase } from './erase.service.ts'
import { merge } from './merge.service.ts'
import { presentData } from './person-data.service.ts'

const calls = { ...duplicates, ...personData }

export const personActsRoutes = routes(calls, ({ system, documents, config, jobs }) => {
  const findDuplicates = openDuplicates(system)
  return {
    listDuplicates: ({ tx, administrator }) => findDuplicates(tx, administrator),
    mergePeople: withAccounts(({ tx, administrator, body, now }) =>
      merge({ config, jobs, now }, tx, administrator, body),
    ),
    downloadPerson: ownTransactions(({ administrator, params, now }) =>
      inClients(system, [administrator.clientUid], (tx) => presentData(tx, administrator, params.uid, now)),
    ),
    erasePerson: ownTransactions(async ({ administrator, params, now, writeWithAccounts }) => {
      // a repeat gets the same keys, so that files of a process that was killed here go, too
      const files = await writeWithAccounts((tx) => erase({ config, jobs, now }, tx, administrator, params.uid))
      for (const key of files) await documents.remove(key)
      return { status: 'erased' as const }
    }),
  }
})
