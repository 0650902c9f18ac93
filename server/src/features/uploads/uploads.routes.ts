import { exportTables, getTableTemplates } from '@evac/contract/calls/console/tables.ts'
import type { FastifyInstance } from 'fastify'
import { serveConsole } from '../../http/http.ts'
import { linkToExport, noteExport, openExport, zipTemplates } from './export.service.ts'

export async function uploadsRoutes(app: FastifyInstance) {
  serveConsole(app, getTableTemplates, async () => ({ name: 'templates.zip', content: await zipTemplates() }))
  serveConsole(app, exportTables, async ({ administrator, write }) => {
    await write((tx) => noteExport(tx, administrator))
    // a stored reply would keep the signature
    return { link: linkToExport(app, administrator) }
  })

  app.get<{ Params: { uid: string }; Querystring: Record<string, unknown> }>(
    '/api/console/export/:uid',
    {
      config: { policy: { access: 'public' } },
      schema: { summary: 'The archive of an export, by its link (IMP-16)' },
    },
    async ({ params, query }, reply) => {
      const archive = await openExport(app, params.uid, query)
      const day = app.clock.now().toISOString().slice(0, 10)
      const disposition = `attachment; filename="organisation-${day}.zip"`
      return reply.headers({ 'content-type': 'application/zip', 'content-disposition': disposition }).send(archive)
    },
  )
}
