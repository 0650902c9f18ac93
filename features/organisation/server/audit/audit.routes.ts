import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { downloadAudit, listAudit } from '../../calls/audit.ts'
import { auditFile, presentAudit } from './audit.service.ts'

export async function auditRoutes(app: FastifyInstance) {
  serveConsole(app, listAudit, ({ administrator, input, read }) =>
    read((tx) => presentAudit(app, tx, administrator, input.query)),
  )
  serveConsole(app, downloadAudit, ({ administrator, input, read, setHeader }) => {
    setHeader('content-type', 'text/csv; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="audit.csv"')
    return read((tx) => auditFile(tx, administrator, input.query))
  })
}
