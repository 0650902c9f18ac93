import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { getCoverage } from '../../calls/coming-days.ts'
import { presentCoverage } from './coming-days.service.ts'

export async function comingDaysRoutes(app: FastifyInstance) {
  serveConsole(app, getCoverage, ({ administrator, input, read }) =>
    read((tx) => presentCoverage(tx, administrator, input.query)),
  )
}
