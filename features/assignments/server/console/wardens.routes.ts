import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { inClients } from '#server/platform/db/db.ts'
import {
  addRole,
  changeAssignment,
  changeRole,
  downloadAssignments,
  listAssignments,
  listRoles,
  offerRole,
  withdrawAssignment,
} from '../../calls/wardens.ts'
import { offer } from './assignment-offers.service.ts'
import { change, presentAssignments, withdraw, writeFile } from './edit-assignments.service.ts'
import { change as changeOneRole, makeRole, presentRoles } from './roles.service.ts'

const done = { status: 'done' } as const

export async function wardensRoutes(app: FastifyInstance) {
  serveConsole(app, listRoles, ({ administrator, read }) => read((tx) => presentRoles(tx, administrator)))
  serveConsole(app, addRole, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts(async (tx) => ({ uid: await makeRole(app, tx, administrator, input.body) })),
  )
  serveConsole(app, changeRole, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => changeOneRole(app, tx, administrator, input.params.uid, input.body))
    return done
  })
  serveConsole(app, listAssignments, ({ administrator, input, read }) =>
    read((tx) => presentAssignments(app, tx, administrator, input.query)),
  )
  // no reply is stored: it has names
  serveConsole(app, downloadAssignments, ({ administrator, input }) =>
    inClients(app.db, [administrator.clientUid], (tx) => writeFile(tx, administrator, input.body)),
  )
  serveConsole(app, offerRole, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => offer(app, tx, administrator, input.body)),
  )
  serveConsole(app, changeAssignment, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => change(app, tx, administrator, input.params.uid, input.body))
    return done
  })
  serveConsole(app, withdrawAssignment, async ({ administrator, input, write }) => {
    const status = await write((tx) => withdraw(tx, administrator, input.params.uid, input.body.reason))
    return { status }
  })
}
