import { exportRecord, getExport } from '@evac/contract/calls/records/exports.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { ask, openExport, presentExport } from './exports.service.ts'

export async function exportsRoutes(app: FastifyInstance) {
  serve(app, exportRecord, ({ actor, input, write }) =>
    write((tx) => ask(app, tx, actor, input.params.eventUid, input.body)),
  )
  serve(app, getExport, ({ actor, input, read }) => read((tx) => presentExport(app, tx, actor, input.params.uid)))

  app.get<{ Params: { uid: string }; Querystring: Record<string, unknown> }>(
    '/api/exports/:uid',
    {
      config: { policy: { access: 'public' } },
      schema: { summary: 'The file of an export of a record, by its link (AAR-41)' },
    },
    async ({ params, query }, reply) => {
      const { body, headers } = await openExport(app, params.uid, query)
      return reply.headers(headers).send(body)
    },
  )
}
