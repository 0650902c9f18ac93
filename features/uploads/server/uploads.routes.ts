import type { FastifyInstance } from 'fastify'
import { serveConsole, takeBytes } from '#server/http/serve.ts'
import * as calls from '../calls.ts'
import { zipTemplates } from './download-tables.service.ts'
import * as exports from './export/directory-export.service.ts'
import * as problems from './upload-problems.service.ts'
import { undo } from './upload-undo.service.ts'
import * as uploads from './uploads.service.ts'

export async function uploadsRoutes(app: FastifyInstance) {
  takeBytes(app)
  serveConsole(app, calls.getTableTemplates, async () => ({ name: 'templates.zip', content: await zipTemplates() }))
  serveConsole(app, calls.exportTables, ({ administrator, write }) =>
    write((tx) => exports.ask(app, tx, administrator)),
  )
  serveConsole(app, calls.getTablesExport, ({ administrator, input, read }) =>
    read((tx) => exports.present(app, tx, administrator, input.params.uid)),
  )

  serveConsole(app, calls.listUploads, ({ administrator, input, read }) =>
    read((tx) => uploads.list(app, tx, administrator, input.query)),
  )
  serveConsole(app, calls.openUpload, ({ administrator, write }) => write((tx) => uploads.open(tx, administrator)))
  serveConsole(app, calls.storeUploadPart, ({ administrator, input, content, write }) =>
    write((tx) => uploads.storePart(tx, administrator, input, content)),
  )
  serveConsole(app, calls.checkUpload, ({ administrator, input, write }) =>
    write((tx) => uploads.check(app, tx, administrator, input)),
  )
  serveConsole(app, calls.getUpload, ({ administrator, input, read }) =>
    read((tx) => uploads.present(tx, administrator, input.params.uid)),
  )
  serveConsole(app, calls.listUploadProblems, ({ administrator, input, read }) =>
    read((tx) => problems.presentProblems(tx, administrator, input.params.uid)),
  )
  serveConsole(app, calls.downloadUploadProblems, ({ administrator, input, read, setHeader }) => {
    setHeader('content-type', 'text/csv; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="errors.csv"')
    return read((tx) => problems.problemsFile(tx, administrator, input.params.uid))
  })
  serveConsole(app, calls.downloadLeftOutRows, ({ administrator, input, read, setHeader }) => {
    setHeader('content-type', 'text/csv; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="left-out.csv"')
    return read((tx) => problems.leftOutFile(tx, administrator, input.params))
  })
  serveConsole(app, calls.listUploadChanges, ({ administrator, input, read }) =>
    read((tx) => uploads.listChanges(app, tx, administrator, input)),
  )
  serveConsole(app, calls.applyUpload, ({ administrator, input, write }) =>
    write((tx) => uploads.apply(app, tx, administrator, input)),
  )
  serveConsole(app, calls.undoUpload, ({ administrator, input, write }) =>
    write((tx) => undo(app, tx, administrator, input)),
  )
  serveConsole(app, calls.dropUpload, ({ administrator, input, write }) =>
    write((tx) => uploads.drop(tx, administrator, input.params.uid)),
  )

  app.get<{ Params: { uid: string; nth: string }; Querystring: Record<string, unknown> }>(
    '/api/console/export/:uid/:nth',
    {
      config: { policy: { access: 'public' } },
      // a program that only looks at the link would use it
      exposeHeadRoute: false,
      schema: { summary: 'The archive of an export, once by each link' },
    },
    async ({ params, query }, reply) => {
      const { body, headers } = await exports.open(app, params.uid, Number(params.nth), query)
      return reply.headers(headers).send(body)
    },
  )
}
