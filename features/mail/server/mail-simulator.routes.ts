import type { FastifyInstance } from 'fastify'
import { listSimulatedMails } from '#features/texts/calls/simulator.ts'
import { routes } from '#server/http/routes.ts'
import { keepToThisMachine } from '#server/platform/network.ts'
import { listMails } from './mail-simulator.queries.ts'

/** The mail simulator needs no sign-in. It exists only if mails go to it, and only for this machine. */
export async function mailSimulatorRoutes(app: FastifyInstance) {
  if (app.config.production || app.config.mail !== 'simulator') return
  keepToThisMachine(app)
  await app.register(mails)
}

const calls = { listSimulatedMails }

const mails = routes(calls, {
  listSimulatedMails: async ({ app, query }) => {
    const found = await listMails(app.system, query.mobile)
    return found.map(({ uid, receivedAt, ...mail }) => ({ id: uid, ...mail, received_at: receivedAt.toISOString() }))
  },
})
