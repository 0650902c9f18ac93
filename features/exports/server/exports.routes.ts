import type { FastifyInstance } from 'fastify'
import { serveShared } from '#server/http/serve.ts'
import { exportRecord, getExport } from '../calls.ts'
import { ask, openExport, presentExport } from './exports.service.ts'

export async function exportsRoutes(app: FastifyInstance) {
  serveShared(app, exportRecord, ({ reader, input, write }) =>
    write((tx) => ask(app, tx, reader, input.params.eventUid, input.body)),
  )
  serveShared(app, getExport, ({ reader, input, read }) =>
    read((tx) => presentExport(app, tx, reader, input.params.uid)),
  )

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
