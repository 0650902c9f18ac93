import type { getReportCode } from '@evac/contract/calls/command/reports.ts'
import type { SiteUid } from '@evac/contract/ids.ts'
import type { CallReply } from '@evac/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/api.ts'

export type SitePoster = CallReply<typeof getReportCode>

/** REC-30: asked now and then, because another manager may close the page. */
export const posterQuery = (site: SiteUid) =>
  queryOptions({
    queryKey: ['event', 'poster', site],
    queryFn: ({ signal }) => call('GET /api/sites/report-code', { query: { site } }, { signal }),
    refetchInterval: 60_000,
    meta: { anyEvent: true, topics: ['report'] },
  })
