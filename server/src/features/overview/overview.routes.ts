import { getOverview } from '@evac/contract/calls/console/overview.ts'
import type { FastifyInstance } from 'fastify'
import { serveConsole } from '../../http/http.ts'
import { presentOverview } from './overview.service.ts'

export async function overviewRoutes(app: FastifyInstance) {
  serveConsole(app, getOverview, ({ administrator, read }) =>
    read((tx) => presentOverview(tx, administrator, app.config.smsGateways)),
  )
}
