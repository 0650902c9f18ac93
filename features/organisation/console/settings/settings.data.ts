import { queryOptions } from '@tanstack/react-query'
import type { CallOptions } from '#kernel/client/client.ts'
import type { GivenInput } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { Settings, saveSettings } from '../../calls/settings.ts'

export type { Settings }
export type SettingsInput = GivenInput<typeof saveSettings>['body']

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/settings', {}, { signal }),
})

export const save = (body: SettingsInput, options: CallOptions) =>
  consoleCall('POST /api/console/settings', { body }, options)
