import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { pathOf } from '#kernel/client/client.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import { redactedPeep, withoutPeepText } from '#web/evacuees/peep-text.ts'
import { keepOrder } from '#web/reads/kept-order.ts'
import { type PeoplePage, readPage, startPages } from '#web/reads/long-pages.ts'
import { nextPageOf } from '#web/reads/people-pages.ts'
import { call } from '#web/session/api.ts'
import type { FloorData, getFloorData, listOccupants, PersonsPage } from '../calls/evacuation.ts'

export type FloorAnswer = CallReply<typeof getFloorData>
type OccupantsPage = PersonsPage & PeoplePage
export type Pages = InfiniteData<OccupantsPage, PageQuery | null>
type PageQuery = CallInput<typeof listOccupants>['query']

const listCall = 'GET /api/floor/evacuation/persons'

export const ofOccupants = {
  path: pathOf(listCall),
  rowsOf: ({ persons }: OccupantsPage) => persons,
  withRows: (page: OccupantsPage, persons: OccupantsPage['persons']) => ({ ...page, persons }),
}

/** Keys begin with the topic that makes real-time refetch them. */
export const floorKey = ['floor', 'evacuation'] as const
export const occupantsKey = ['evacuee', 'floor evacuation'] as const

export const floorDataQuery = queryOptions({
  queryKey: floorKey,
  queryFn: async ({ client, signal }): Promise<FloorAnswer> => {
    const answer = await call(
      'GET /api/floor/evacuation/data',
      { query: { ...shownPlace(client), order: 'attention', floors: 'building' } },
      { signal },
    )
    if (!('error' in answer)) startList(client, answer)
    return answer
  },
  meta: { redact: withoutPlansOfFloor, topics: ['event'], placesOf: shownPlaces },
})

/** Any place before the first answer. */
function shownPlaces(answer: FloorAnswer | undefined) {
  return answer && 'input' in answer ? placesOf(answer.input) : null
}

/** Where no floor is shown, it is those on no floor of the building. */
function placesOf({ building, floor }: Place) {
  return floor ? [floor, building] : null
}

/** An open page keeps its place. A new page begins with the session's place, which another tab may have chosen. */
function shownPlace(client: QueryClient): CallInput<typeof getFloorData>['query'] {
  const shown = client.getQueryData<FloorAnswer>(floorKey)
  if (!shown || 'error' in shown) return {}
  const { floor, building } = shown.input
  return floor ? { floor } : { building }
}

/** One of the counters. 'unresolved' is everyone unknown or in danger. */
export type FloorFilter = SafetyStatus | 'peep' | 'unresolved'
const filterQuery = (filter: FloorFilter | null) =>
  filter === 'peep' ? { assist: 'yes' as const } : filter && filter !== 'unresolved' ? { status: filter } : {}

/** A page in the order of attention up to its first safe person. That order has the safe last. */
function upToSafe(page: OccupantsPage): OccupantsPage {
  const end = page.persons.findIndex(({ status }) => status === 'safe')
  if (end < 0) return page
  return { ...page, persons: page.persons.slice(0, end), pagination: { ...page.pagination, next_page_url: null } }
}

function countingUnresolved(page: OccupantsPage): OccupantsPage {
  const { counts, pagination } = page
  return { ...page, pagination: { ...pagination, total: counts.unknown + counts.danger } }
}

export interface Place {
  building: BuildingUid
  floor: FloorUid | null
}

/**
 * The people of the floor by pages in the order of attention. With a search text, those of
 * the whole building.
 */
export const occupantsQuery = ({ building, floor }: Place, search: string, filter: FloorFilter | null = null) =>
  infiniteQueryOptions({
    queryKey: [...occupantsKey, building, floor, search, filter],
    initialPageParam: null as PageQuery | null,
    queryFn: ({ signal, ...context }): Promise<OccupantsPage> => {
      const isUnresolved = filter === 'unresolved'
      const readAny = (query: PageQuery | null) => {
        if (query) return call(listCall, { query }, { signal })
        const first = floor ? { floor } : {}
        if (search)
          return call('GET /api/floor/evacuation/search/:text', { params: { text: search }, query: first }, { signal })
        return call(listCall, { query: { ...first, order: 'attention', ...filterQuery(filter) } }, { signal })
      }
      const read = async (query: PageQuery | null) => {
        const page = await readAny(query)
        return isUnresolved ? countingUnresolved(upToSafe(page)) : page
      }
      const readRows = async (uids: readonly string[]) => {
        const query = { ...(floor && { floor }), ...filterQuery(filter), rows: uids.join(',') }
        const page = await call(listCall, { query }, { signal })
        return isUnresolved ? countingUnresolved(page) : page
      }
      return readPage({ ...context, ...ofOccupants, read, readRows })
    },
    getNextPageParam: ({ pagination }) => nextPageOf(pagination.next_page_url, ofOccupants.path) as PageQuery | null,
    // The first page came with the data set and is not requested again.
    staleTime: 2000,
    // a search finds people of the whole building
    meta: {
      redact: withoutPlans,
      topics: ['message'],
      placesOf: () => (search ? null : placesOf({ building, floor })),
    },
  })

/** Puts the first page of the data set into the list, so that it is not requested again. */
export function startList(client: QueryClient, { input, persons, pagination, counts }: FloorData) {
  const list = occupantsQuery(input, '')
  if (startPages<OccupantsPage>(client, list, { persons, pagination, counts })) keepOrder(list.queryKey)
}

export function withoutPlansOfFloor(answer: FloorAnswer): FloorAnswer {
  if ('error' in answer) return answer
  return {
    ...answer,
    peep: answer.peep.map((person) => ({ ...person, ...redactedPeep })),
    persons: answer.persons.map(withoutPeepText),
  }
}

export function withoutPlans(list: Pages): Pages {
  return { ...list, pages: list.pages.map((page) => ({ ...page, persons: page.persons.map(withoutPeepText) })) }
}
