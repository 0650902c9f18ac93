import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { inClients } from '#server/platform/db/db.ts'
import { listDuplicates, mergePeople } from '../calls/duplicates.ts'
import { downloadPerson, erasePerson } from '../calls/person-data.ts'
import { openDuplicates } from './duplicates.service.ts'
import { erase } from './erase.service.ts'
import { merge } from './merge.service.ts'
import { presentData } from './person-data.service.ts'

export async function personActsRoutes(app: FastifyInstance) {
  const { system, clock, documents, config, jobs } = app
  const findDuplicates = openDuplicates(system)
  serveConsole(app, listDuplicates, ({ administrator, read }) => read((tx) => findDuplicates(tx, administrator)))
  serveConsole(app, mergePeople, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => merge({ config, jobs, now: clock.now() }, tx, administrator, input.body)),
  )
  serveConsole(app, downloadPerson, ({ administrator, input }) =>
    inClients(system, [administrator.clientUid], (tx) => presentData(tx, administrator, input.params.uid, clock.now())),
  )
  serveConsole(app, erasePerson, async ({ administrator, input, writeWithAccounts }) => {
    // a repeat gets the same keys, so that files of a process that was killed here go, too
    const files = await writeWithAccounts((tx) =>
      erase({ config, jobs, now: clock.now() }, tx, administrator, input.params.uid),
    )
    for (const key of files) await documents.remove(key)
    return { status: 'erased' as const }
  })
}
