import type { getBrief } from '@evac/contract/calls/brief.ts'
import * as limits from '@evac/contract/limits.ts'
import type { CallReply } from '@evac/contract/route.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { usePathname } from 'wouter/use-browser-location'
import { isRealtimePage } from '../pages/find-page.ts'
import { call } from '../session/api.ts'
import { useAuth } from '../session/stored-auth.ts'

export type Brief = CallReply<typeof getBrief>

/** What every event page shows (CMD-02, CMD-22). */
export const briefQuery = queryOptions({
  queryKey: ['command', 'brief'],
  queryFn: ({ signal }) => call('GET /api/event/brief', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
})

/** Of a warden on duty, on the pages that are kept up to date; undefined elsewhere. `ahead`: the server's clock, ms before ours. */
export function useBrief(): { brief: Brief; ahead: number } | undefined {
  const isOnDuty = useAuth()?.on_duty === true
  const enabled = isRealtimePage(usePathname()) && isOnDuty
  const { data, dataUpdatedAt } = useQuery({ ...briefQuery, enabled })
  if (!enabled || !data) return undefined
  return { brief: data, ahead: data.command ? Date.parse(data.command.at) - dataUpdatedAt : 0 }
}
