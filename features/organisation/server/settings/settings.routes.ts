import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/settings.ts'
import { presentSettings, save } from './settings.service.ts'

export const settingsRoutes = routes(calls, {
  getSettings: ({ tx, app, administrator }) => presentSettings(app, tx, administrator),
  saveSettings: ({ tx, app, administrator, body }) => save(app, tx, administrator, body),
})
