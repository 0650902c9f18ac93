import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { getSettings, saveSettings } from '../../calls/settings.ts'
import { presentSettings, save } from './settings.service.ts'

export async function settingsRoutes(app: FastifyInstance) {
  serveConsole(app, getSettings, ({ administrator, read }) => read((tx) => presentSettings(app, tx, administrator)))
  serveConsole(app, saveSettings, ({ administrator, input, write }) =>
    write((tx) => save(app, tx, administrator, input.body)),
  )
}
