import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { pathOf } from '#kernel/client/client.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import * as limits from '#kernel/limits.ts'
import { areaFloorsQuery } from '#web/evacuees/area-floors.data.ts'
import { withoutPeepText } from '#web/evacuees/peep-text.ts'
import { patchQueries, type RecordLists, withChange } from '#web/outbox/acknowledged-records.ts'
import { type PeoplePage, readPage, startPages } from '#web/reads/long-pages.ts'
import { nextPageOf } from '#web/reads/people-pages.ts'
import { call } from '#web/session/api.ts'
import type { EvacueesPage, FilterSet, SafetyData } from '../../calls/safety.ts'

type PageQuery = Record<string, string>
type ListPage = EvacueesPage & PeoplePage
export type Pages = InfiniteData<ListPage, PageQuery | null>

const filterCall = 'POST /api/evacuee/safety/filter'

export const ofEvacuees = {
  path: pathOf(filterCall),
  rowsOf: ({ evacuees }: ListPage) => evacuees,
  withRows: (page: ListPage, evacuees: ListPage['evacuees']) => ({ ...page, evacuees }),
}

/** Keys begin with the topic that makes real-time refetch them. */
export const evacueesKey = ['evacuee', 'safety list'] as const
const siteKey = ['event', 'safety'] as const

/** What the screen opens with; its people are the first page of the list with the default filters. */
export const safetyQuery = queryOptions({
  queryKey: siteKey,
  queryFn: async ({ client, signal }): Promise<Omit<SafetyData, keyof EvacueesPage> & Pick<SafetyData, 'error'>> => {
    const { buildings, sms_allowed, ...page } = await call('POST /api/evacuee/safety/data', { body: null }, { signal })
    startPages<ListPage>(client, evacueesQuery(defaultFilters), page)
    return { buildings, sms_allowed, ...(page.error && { error: page.error }) }
  },
})

/** Floors of the warden's own area, whose boxes are ticked under My Area. */
export const ownFloorsQuery = queryOptions({
  ...areaFloorsQuery('my area'),
  select: (buildings) => buildings.flatMap(({ floors }) => floors.map(({ id }) => id)),
})

/** The next page is asked for with the same filters. */
export const evacueesQuery = (filters: FilterSet) =>
  infiniteQueryOptions({
    queryKey: [...evacueesKey, filters],
    initialPageParam: null as PageQuery | null,
    queryFn: ({ signal, ...context }): Promise<ListPage> => {
      const read = (query: PageQuery | null) => call(filterCall, { query: query ?? {}, body: filters }, { signal })
      return readPage({ ...context, ...ofEvacuees, read })
    },
    getNextPageParam: ({ pagination }) => nextPageOf(pagination.next_page_url, ofEvacuees.path),
    // The first page that came with the data set is not asked for once more.
    staleTime: 2000,
    meta: { redact: withoutPlans, topics: ['event', 'message'] },
  })

export function withoutPlans(list: Pages): Pages {
  return { ...list, pages: list.pages.map((page) => ({ ...page, evacuees: page.evacuees.map(withoutPeepText) })) }
}

export const safetyLists: RecordLists = {
  keys: [evacueesKey],
  refetchAfter: () => limits.refetchAfterStatus,
  apply: (client, sent, change) =>
    patchQueries<Pages>(client, evacueesKey, (list) => ({
      ...list,
      pages: list.pages.map((page) => ({
        ...page,
        evacuees: page.evacuees.map((one) => withChange(one, sent, change)),
      })),
    })),
}
