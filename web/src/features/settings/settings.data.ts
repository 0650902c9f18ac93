import type { Settings, saveSettings } from '@evac/contract/calls/console/settings.ts'
import type { CallOptions } from '@evac/contract/client/client.ts'
import type { GivenInput } from '@evac/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { consoleCall } from '../../session/console-session.ts'

export type { Settings }
export type SettingsInput = GivenInput<typeof saveSettings>['body']

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/settings', {}, { signal }),
})

export const save = (body: SettingsInput, options: CallOptions) =>
  consoleCall('POST /api/console/settings', { body }, options)
