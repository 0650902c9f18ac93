import type { FastifyInstance } from 'fastify'
import { listSimulatedMails } from '#features/texts/calls/simulator.ts'
import { serve } from '#server/http/serve.ts'
import { keepToThisMachine } from '#server/platform/network.ts'
import { listMails } from './mail-simulator.queries.ts'

/** The mail simulator needs no sign-in. It exists only if mails go to it, and only for this machine. */
export async function mailSimulatorRoutes(app: FastifyInstance) {
  if (app.config.production || app.config.mail !== 'simulator') return
  keepToThisMachine(app)
  serve(app, listSimulatedMails, async ({ input }) => {
    const mails = await listMails(app.system, input.query.mobile)
    return mails.map(({ uid, receivedAt, ...mail }) => ({ id: uid, ...mail, received_at: receivedAt.toISOString() }))
  })
}
