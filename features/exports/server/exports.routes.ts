import type { FastifyInstance } from 'fastify'
import { routes } from '#server/http/routes.ts'
import * as calls from '../calls.ts'
import { ask, openExport, presentExport } from './exports.service.ts'

export const exportsRoutes = routes(calls, {
  exportRecord: ({ tx, app, reader, params, body }) => ask(app, tx, reader, params.eventUid, body),
  getExport: ({ tx, app, reader, params }) => presentExport(app, tx, reader, params.uid),
})

export async function exportedFiles(app: FastifyInstance) {
  app.get<{ Params: { uid: string }; Querystring: Record<string, unknown> }>(
    '/api/exports/:uid',
    {
      config: { policy: { access: 'public' } },
      schema: { summary: 'The file of an export of a record, by its link' },
    },
    async ({ params, query }, reply) => {
      const { body, headers } = await openExport(app, params.uid, query)
      return reply.headers(headers).send(body)
    },
  )
}
