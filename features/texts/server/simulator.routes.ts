import type { FastifyInstance } from 'fastify'
import { routes } from '#server/http/routes.ts'
import { keepToThisMachine } from '#server/platform/network.ts'
import { listSimulatedPhones, listSimulatedTexts } from '../calls/simulator.ts'
import { listPhones, listTexts } from './simulator.queries.ts'

const phonesShown = 50

/** The phone simulator needs no sign-in. It exists only if it is the gateway, and only for this machine. */
export async function simulatorRoutes(app: FastifyInstance) {
  if (app.config.production || !app.config.smsGateways.includes('simulator')) return
  keepToThisMachine(app)
  await app.register(simulator)
}

const calls = { listSimulatedPhones, listSimulatedTexts }

const simulator = routes(calls, {
  listSimulatedPhones: ({ app, query }) => listPhones(app.system, query.search?.trim() ?? '', phonesShown),
  listSimulatedTexts: async ({ app, query }) => {
    const texts = await listTexts(app.system, query.mobile)
    return texts.map(({ uid, body, receivedAt }) => ({ id: uid, body, received_at: receivedAt.toISOString() }))
  },
})
