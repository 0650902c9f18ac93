import { sendReportInLinks } from '@evac/contract/report-in-links.ts'
import type { FastifyInstance } from 'fastify'
import { onDuty } from '../../platform/actor.ts'
import { serve } from '../../platform/http.ts'
import { textLinks } from './report-in-links.service.ts'

export async function reportInLinksRoutes(app: FastifyInstance) {
  serve(app, sendReportInLinks, ({ actor, input, write }) =>
    write((tx) => textLinks(app, tx, onDuty(actor), input.body)),
  )
}
