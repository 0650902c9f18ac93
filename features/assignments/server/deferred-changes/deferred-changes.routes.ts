import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { doWaitingNow, dropWaiting, getNow } from '../../calls/waiting.ts'
import { doNow, drop, presentNow } from './deferred-changes.service.ts'

export async function waitingRoutes(app: FastifyInstance) {
  serveConsole(app, getNow, ({ administrator, read }) => read((tx) => presentNow(tx, administrator)))
  serveConsole(app, doWaitingNow, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => doNow(app, tx, administrator, input.params.uid))
    return { status: 'done' as const }
  })
  serveConsole(app, dropWaiting, async ({ administrator, input, write }) => {
    await write((tx) => drop(tx, administrator, input.params.uid))
    return { status: 'dropped' as const }
  })
}
