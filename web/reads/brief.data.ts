import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import type { getBrief } from '#features/events/calls/brief.ts'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { onNews } from '../live/feed-news.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { call } from '../session/api.ts'
import { useAuth } from '../session/stored-auth.ts'

export type Brief = CallReply<typeof getBrief>

/** What every event page shows. The poll is for when there is no feed: no sheet depends on it. */
export const briefQuery = queryOptions({
  queryKey: ['command', 'brief'],
  queryFn: ({ signal }) => call('GET /api/event/brief', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  // of a moment: an offer of an hour ago must not be shown from the phone's store
  meta: { private: true },
})

/** Of a warden on duty, on the pages that are kept up to date; undefined elsewhere. `ahead`: the server's clock, ms before ours. */
export function useBrief(): { brief: Brief; ahead: number } | undefined {
  const isOnDuty = useAuth()?.on_duty === true
  const enabled = isRealtimePage(usePathname()) && isOnDuty
  const { data, dataUpdatedAt } = useQuery({ ...briefQuery, enabled })
  if (!enabled || !data) return undefined
  return { brief: data, ahead: data.command ? Date.parse(data.command.at) - dataUpdatedAt : 0 }
}

/** A first read that is under way may have been answered before the change: it is followed by another. */
async function readAgain(client: QueryClient) {
  const { queryKey } = briefQuery
  const isFirst = client.getQueryData(queryKey) === undefined
  await client.invalidateQueries({ queryKey })
  if (isFirst) await client.invalidateQueries({ queryKey })
}

/**
 * Reads the brief again on each page, and when the feed tells of an own offer. Who holds a floor learns when its own warden
 * comes. Claims of others concern no one's brief.
 */
export function useBriefNews(): void {
  const auth = useAuth()
  const pathname = usePathname()
  const client = useQueryClient()
  const isOn = auth?.on_duty === true && isRealtimePage(pathname)
  const own = auth?.WardenSignInUID

  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of page is the reason to read
  useEffect(() => {
    if (isOn) void client.invalidateQueries({ queryKey: briefQuery.queryKey })
  }, [isOn, pathname, client])

  useEffect(() => {
    if (!isOn) return
    const stop = onNews((news) => {
      const holds = (client.getQueryData(briefQuery.queryKey)?.claims.length ?? 0) > 0
      const isMine = news?.some(
        ({ topic, ids }) => (topic === 'coverage' && ids.includes(own as string)) || (holds && topic === 'attendance'),
      )
      if (isMine) void readAgain(client)
    })
    return () => void stop()
  }, [isOn, own, client])
}
