import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/audit.ts'
import { auditFile, presentAudit } from './audit.service.ts'

export const auditRoutes = routes(calls, {
  listAudit: ({ tx, app, administrator, query }) => presentAudit(app, tx, administrator, query),
  downloadAudit: ({ tx, administrator, query, setHeader }) => {
    setHeader('content-type', 'text/csv; charset=utf-8')
    setHeader('content-disposition', 'attachment; filename="audit.csv"')
    return auditFile(tx, administrator, query)
  },
})
