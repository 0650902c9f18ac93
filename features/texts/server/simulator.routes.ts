import type { FastifyInstance } from 'fastify'
import type { CallReply } from '#kernel/route.ts'
import { serve } from '#server/http/serve.ts'
import { keepToThisMachine } from '#server/platform/network.ts'
import { listSimulatedPhones, listSimulatedTexts, sendSimulatedReply } from '../calls/simulator.ts'
import { listPhones, listTexts } from './simulator.queries.ts'

const phonesShown = 50

/** Receives a text from a phone, as from a provider. */
type Receive = (
  app: FastifyInstance,
  reply: { providerId: string; fromNumber: string; text: string },
) => Promise<CallReply<typeof sendSimulatedReply>>

/** The phone simulator needs no sign-in. It exists only if it is the gateway, and only for this machine. */
export const simulatorRoutes = (receive: Receive) => async (app: FastifyInstance) => {
  if (app.config.production || !app.config.smsGateways.includes('simulator')) return
  keepToThisMachine(app)
  serve(app, listSimulatedPhones, ({ input }) => listPhones(app.system, input.query.search?.trim() ?? '', phonesShown))
  serve(app, listSimulatedTexts, async ({ input }) => {
    const texts = await listTexts(app.system, input.query.mobile)
    return texts.map(({ uid, body, receivedAt }) => ({ id: uid, body, received_at: receivedAt.toISOString() }))
  })
  serve(app, sendSimulatedReply, ({ input: { body } }) =>
    receive(app, { providerId: `simulator:${body.id}`, fromNumber: body.mobile, text: body.text }),
  )
}
