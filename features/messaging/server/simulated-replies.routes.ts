import type { FastifyInstance } from 'fastify'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { routes } from '#server/http/routes.ts'
import { keepToThisMachine } from '#server/platform/network.ts'
import { receiveReply } from './receive-reply.service.ts'

/** Takes a text from a phone of the simulator, as from a provider. It exists only with the simulator. */
export async function simulatedRepliesRoutes(app: FastifyInstance) {
  if (app.config.production || !app.config.smsGateways.includes('simulator')) return
  keepToThisMachine(app)
  await app.register(simulatedReplies)
}

const calls = { sendSimulatedReply }

const simulatedReplies = routes(calls, {
  sendSimulatedReply: ({ app, body }) =>
    receiveReply(app, { providerId: `simulator:${body.id}`, fromNumber: body.mobile, text: body.text }),
})
