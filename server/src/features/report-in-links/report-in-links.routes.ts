import { sendReportInLinks } from '@evac/contract/calls/report-in-links.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { onDuty } from '../../wardens/actor.ts'
import { textLinks } from './report-in-links.service.ts'

export async function reportInLinksRoutes(app: FastifyInstance) {
  serve(app, sendReportInLinks, ({ actor, input, write }) =>
    write((tx) => textLinks(app, tx, onDuty(actor), input.body)),
  )
}
