import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { getOverview, putStepAside } from '../../calls/overview.ts'
import { keepAside, presentOverview } from './overview.service.ts'

export async function overviewRoutes(app: FastifyInstance) {
  serveConsole(app, getOverview, ({ administrator, read }) =>
    read((tx) => presentOverview(tx, administrator, app.config.smsGateways)),
  )
  serveConsole(app, putStepAside, ({ administrator, input, write }) =>
    write((tx) => keepAside(tx, administrator, input)),
  )
}
