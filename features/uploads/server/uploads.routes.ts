import type { FastifyInstance } from 'fastify'
import { ownTransactions, routes } from '#server/http/routes.ts'
import * as calls from '../calls.ts'
import { zipTemplates } from './download-tables.service.ts'
import * as exports from './export/directory-export.service.ts'
import * as problems from './upload-problems.service.ts'
import { undo } from './upload-undo.service.ts'
import * as uploads from './uploads.service.ts'
import * as shown from './uploads-shown.service.ts'

export const uploadsRoutes = routes(calls, {
  getTableTemplates: ownTransactions(async () => ({ name: 'templates.zip', content: await zipTemplates() })),
  exportTables: ({ tx, app, administrator }) => exports.ask(app, tx, administrator),
  getTablesExport: ({ tx, app, administrator, params }) => exports.present(app, tx, administrator, params.uid),

  listUploads: ({ tx, app, administrator, query }) => shown.list(app, tx, administrator, query),
  openUpload: ({ tx, administrator }) => uploads.open(tx, administrator),
  storeUploadPart: ({ tx, administrator, params, query, content }) =>
    uploads.storePart(tx, administrator, { params, query }, content),
  checkUpload: ({ tx, app, administrator, params, body }) => uploads.check(app, tx, administrator, { params, body }),
  getUpload: ({ tx, administrator, params }) => shown.present(tx, administrator, params.uid),
  listUploadProblems: ({ tx, administrator, params }) => problems.presentProblems(tx, administrator, params.uid),
  downloadUploadProblems: ({ tx, administrator, params, setHeader }) => {
    setHeader('content-type', 'text/csv; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="errors.csv"')
    return problems.problemsFile(tx, administrator, params.uid)
  },
  downloadLeftOutRows: ({ tx, administrator, params, setHeader }) => {
    setHeader('content-type', 'text/csv; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="left-out.csv"')
    return problems.leftOutFile(tx, administrator, params)
  },
  listUploadChanges: ({ tx, app, administrator, params, query }) =>
    shown.listChanges(app, tx, administrator, { params, query }),
  applyUpload: ({ tx, app, administrator, params, body }) => uploads.apply(app, tx, administrator, { params, body }),
  undoUpload: ({ tx, app, administrator, params }) => undo(app, tx, administrator, { params }),
  dropUpload: ({ tx, administrator, params }) => uploads.drop(tx, administrator, params.uid),
})

export async function exportedArchives(app: FastifyInstance) {
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
