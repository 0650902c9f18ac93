import { queryOptions } from '@tanstack/react-query'
import type { SiteUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { call } from '#web/session/api.ts'
import type { getReportCode } from '../calls.ts'

export type SitePoster = CallReply<typeof getReportCode>

/** Asked now and then, because another manager may close the page. */
export const posterQuery = (site: SiteUid) =>
  queryOptions({
    queryKey: ['event', 'poster', site],
    queryFn: ({ signal }) => call('GET /api/sites/report-code', { query: { site } }, { signal }),
    refetchInterval: 60_000,
    meta: { anyEvent: true, topics: ['report'] },
  })
