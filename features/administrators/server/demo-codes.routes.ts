import type { FastifyInstance } from 'fastify'
import { listSimulatedCodes } from '#features/texts/calls/simulator.ts'
import { routes } from '#server/http/routes.ts'
import { keepToThisMachine } from '#server/platform/network.ts'
import { listDemoCodes } from './demo-administrators.service.ts'

/** Stands in for the authenticators of the demo. It exists only with the demo, and only for this machine. */
export async function demoCodesRoutes(app: FastifyInstance) {
  if (app.config.production || !app.config.demo) return
  keepToThisMachine(app)
  await app.register(demoCodes)
}

const calls = { listSimulatedCodes }

const demoCodes = routes(calls, {
  listSimulatedCodes: ({ app }) => listDemoCodes(app),
})
