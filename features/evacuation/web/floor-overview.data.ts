import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pathOf } from '#kernel/client/client.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { listLimits } from '#kernel/limits.ts'
import { withoutPeepText } from '#web/evacuees/peep-text.ts'
import { readBuilding } from '#web/lib/read-building.ts'
import { patchQueries, type RecordLists, withChange } from '#web/outbox/acknowledged-records.ts'
import { type PeoplePage, readPage } from '#web/reads/long-pages.ts'
import { nextPageOf } from '#web/reads/people-pages.ts'
import { call } from '#web/session/api.ts'
import type { PeepsPage } from '../calls/floor-overview.ts'

const floorCall = 'GET /api/floor/evacuation/warden/floor/:floorId'
const floorlessCall = 'GET /api/floor/evacuation/warden/building/:buildingId'
const searchCall = 'GET /api/floor/evacuation/warden/search/:text'

type PageQuery = Record<string, string>
type OverviewPage = PeepsPage & PeoplePage
type Pages = InfiniteData<OverviewPage, PageQuery | null>

export const overviewRows = ({ peeps }: OverviewPage) => peeps

/** Keys begin with the topic that makes real-time refetch them. */
const overviewKey = ['floor', 'overview'] as const
const peopleKey = ['evacuee', 'floor overview'] as const

/** Null means all buildings. */
export const overviewQuery = (building: BuildingUid | null) =>
  queryOptions({
    queryKey: [...overviewKey, building],
    queryFn: ({ signal }) =>
      readBuilding(building, (query) => call('GET /api/floor/evacuation/status/data', { query }, { signal })),
    placeholderData: keepPreviousData,
    meta: { topics: ['event', 'evacuee'] },
  })

/** People of a floor; of a building, on none of its floors; or of the event, with this name. */
export type WhichPeople = { floor: FloorUid } | { floorless: BuildingUid } | { search: string }

export const overviewPeopleQuery = (which: WhichPeople) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey, which],
    initialPageParam: null as PageQuery | null,
    queryFn: ({ signal, ...context }): Promise<OverviewPage> => {
      const read = (page: PageQuery | null) => {
        const query = page ?? {}
        if ('floor' in which) return call(floorCall, { params: { floorId: which.floor }, query }, { signal })
        if ('floorless' in which)
          return call(floorlessCall, { params: { buildingId: which.floorless }, query }, { signal })
        return call(searchCall, { params: { text: which.search }, query }, { signal })
      }
      return readPage({
        ...context,
        path: listPath(which),
        rowsOf: overviewRows,
        withRows: (page: OverviewPage, peeps) => ({ ...page, peeps }),
        read,
      })
    },
    getNextPageParam: ({ pagination }) => nextPageOf(pagination.next_page_url, listPath(which)),
    staleTime: 2000,
    meta: { redact: withoutPlans, placesOf: () => ('floor' in which ? [which.floor] : null) },
  })

function listPath(which: WhichPeople) {
  if ('floor' in which) return pathOf(floorCall).replace(':floorId', which.floor)
  if ('floorless' in which) return pathOf(floorlessCall).replace(':buildingId', which.floorless)
  return pathOf(searchCall).replace(':text', encodeURIComponent(which.search))
}

export function withoutPlans(list: Pages): Pages {
  return { ...list, pages: list.pages.map((page) => ({ ...page, peeps: page.peeps.map(withoutPeepText) })) }
}

export const overviewLists: RecordLists = {
  keys: [overviewKey, peopleKey],
  refetchAfter: () => listLimits.refetchAfterWardenStatus,
  apply: (client, sent, change) =>
    patchQueries<Pages>(client, peopleKey, (list) => ({
      ...list,
      pages: list.pages.map((page) => ({ ...page, peeps: page.peeps.map((one) => withChange(one, sent, change)) })),
    })),
}
