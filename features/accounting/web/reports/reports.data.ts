import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { handleReport, listReports, SelfReport } from '#features/self-report/calls.ts'
import type { noFloor } from '#features/self-report/kinds.ts'
import type { BuildingUid, FloorUid, SelfReportUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { patchQueries } from '#web/outbox/acknowledged-records.ts'
import { call } from '#web/session/api.ts'
import type { Extras } from '#web/session/use-keyed-send.ts'

export type ReportsPage = CallReply<typeof listReports>
export interface ReportsWanted {
  state: 'open' | 'handled'
  network?: string
  floor?: FloorUid | BuildingUid | typeof noFloor
}

/** Names, numbers and words of strangers: in memory alone. Keys begin with the topic that makes real-time refetch them. */
export const reportsKey = ['report', 'reports'] as const

export const reportsQuery = (wanted: ReportsWanted) =>
  infiniteQueryOptions({
    queryKey: [...reportsKey, wanted],
    initialPageParam: null as SelfReportUid | null,
    queryFn: ({ signal, pageParam }): Promise<ReportsPage> =>
      call(
        'GET /api/event/reports',
        { query: { ...wanted, texts: 'yes', ...(pageParam && { after: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next }) => next,
    meta: { private: true, topics: ['evacuee', 'event'] },
  })

export type Act = CallInput<typeof handleReport>['body']
export interface Handling {
  report: SelfReport
  act: Act
}

export const handle = ({ report: { uid }, act }: Handling, extras: Extras) =>
  call('POST /api/event/reports/:uid', { params: { uid }, body: act }, extras)

/** What has just been handled leaves the open list at once. */
export function takeOut(client: QueryClient, uid: SelfReportUid) {
  patchQueries<InfiniteData<ReportsPage>>(client, [...reportsKey, { state: 'open' }], (list) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, reports: page.reports.filter((one) => one.uid !== uid) })),
  }))
}
