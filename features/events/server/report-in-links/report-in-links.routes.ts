import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/report-in-links.ts'
import { textLinks } from './report-in-links.service.ts'

export const reportInLinksRoutes = routes(calls, {
  sendReportInLinks: ({ tx, app, actor, body }) => textLinks(app, tx, actor, body),
})
