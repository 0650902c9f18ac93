import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { sendReportInLinks } from '../../calls/report-in-links.ts'
import { textLinks } from './report-in-links.service.ts'

export async function reportInLinksRoutes(app: FastifyInstance) {
  serve(app, sendReportInLinks, ({ actor, input, write }) =>
    write((tx) => textLinks(app, tx, onDuty(actor), input.body)),
  )
}
