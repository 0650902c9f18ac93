import { listSimulatedMails } from '@evac/contract/simulator.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http.ts'
import { listMails } from './simulator.queries.ts'

/** Open to everybody, and therefore not there at all unless mails go to the simulator. */
export async function mailSimulatorRoutes(app: FastifyInstance) {
  if (app.config.production || app.config.mail !== 'simulator') return
  serve(app, listSimulatedMails, async ({ input }) => {
    const mails = await listMails(app.system, input.query.mobile)
    return mails.map(({ uid, receivedAt, ...mail }) => ({ id: uid, ...mail, received_at: receivedAt.toISOString() }))
  })
}
