import { hashKey, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import * as limits from '#kernel/limits.ts'
import type { SafetyStatus, StatusTotals } from '#kernel/vocabulary.ts'
import { planOf } from '#web/evacuees/peep-text.ts'
import { isNamed } from '#web/evacuees/search/find-names.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import type { PendingByPerson } from '#web/outbox/outbox-overlay.ts'
import { keepOrder, releaseOrder } from '#web/reads/kept-order.ts'
import { isSearchLimited, onceEach, pagingOf } from '#web/reads/people-pages.ts'
import { useFreshView } from '#web/reads/use-fresh-view.ts'
import type { Occupant } from '../calls/evacuation.ts'
import { type FloorFilter, occupantsQuery, ofOccupants, type Pages, type Place } from './floor-evacuation.data.ts'

export type OccupantSearch = ReturnType<typeof useOccupantSearch>

/** The people of the floor. The search starts once typing pauses. It covers the building, the filter only the floor. */
export function useOccupantSearch(place: Place, pending: PendingByPerson) {
  const [typed, setTyped] = useKept('/floor/evacuation search', '')
  const [chosen, setFilter] = useKept<FloorFilter | null>('/floor/evacuation filter', null)
  const search = useDebounced(typed.trim(), limits.searchDebounce)
  const filter = search ? null : chosen
  const list = useOccupants(place, search, filter, pending)
  const show = useCallback(
    (next: FloorFilter | null) => {
      setTyped('')
      setFilter(next)
    },
    [setTyped, setFilter],
  )
  return { typed, setTyped, search, filter, show, ...list }
}

/** The people of the floor, or the matches of a search. If the server is unreachable, those among the people on the phone. */
function useOccupants(place: Place, search: string, filter: FloorFilter | null, pending: PendingByPerson) {
  const query = occupantsQuery(place, search, filter)
  const list = useInfiniteQuery(query)
  const readAgain = useKeptOrder(query.queryKey, list)
  const floor = useFloorPages(place)
  useReloadWhenCleared(search, list.refetch)

  const isLimited = isSearchLimited(search || (filter ?? ''), list)
  const pages = list.data?.pages
  // What the phone knows is shown at once, until the server has answered.
  const isFromPhone = isLimited || (filter !== null && !pages)
  const recorded = isFromPhone ? pending : nothingRecorded
  const people = useMemo(() => {
    const isFound = isNamed(search)
    if (isFromPhone) return floor.people.filter((one) => isMeant(one, isFound, filter, recorded))
    return pages && onceEach(pages.flatMap(({ persons }) => persons))
  }, [isFromPhone, floor, pages, search, filter, recorded])
  const page = pages?.[0]

  return {
    people,
    /** The people of the floor that the phone knows, and the server's counts of all of them. */
    known: useMemo(() => onceEach([...floor.people, ...(filter && people ? people : [])]), [floor, filter, people]),
    counts: page?.counts ?? floor.counts,
    total: page?.pagination.total,
    missing: people && page && !search && !isLimited ? missingFrom(people, page, filter, list.hasNextPage) : undefined,
    asOf: useFreshView(list, ofOccupants.rowsOf),
    ...pagingOf(list, isLimited),
    loadMore: list.fetchNextPage,
    refetch: list.refetch,
    readAgain,
  }
}

const nothingRecorded: PendingByPerson = new Map()

/** By what the server knows or this phone has recorded: a card stays where it is when its status changes. */
function isMeant(
  person: Occupant,
  isFound: (name: string) => boolean,
  filter: FloorFilter | null,
  pending: PendingByPerson,
): boolean {
  if (filter === 'peep') return planOf(person) !== undefined
  if (!filter) return isFound(person.name)
  const recorded = pending.get(person.id)?.status?.status
  return hasStatus(filter, person.status) || (recorded !== undefined && hasStatus(filter, recorded))
}

const hasStatus = (filter: SafetyStatus | 'unresolved', status: SafetyStatus) =>
  filter === 'unresolved' ? status !== 'safe' : status === filter

interface Counted {
  counts: StatusTotals
  pagination: { total: number }
}

/**
 * People whom the list has been read past, because its order stands still: anyone who is in danger by now, and at its end
 * everyone who is not in it.
 */
function missingFrom(
  people: readonly Occupant[],
  { counts, pagination }: Counted,
  filter: FloorFilter | null,
  hasMore: boolean,
): { count: number; who: FloorFilter | null } | undefined {
  const shown = (who: FloorFilter | null) =>
    who && who !== 'peep' ? people.filter(({ status }) => hasStatus(who, status)).length : people.length
  const isPastDanger = people.some(({ status }) => status !== 'danger')
  const inDanger = filter === null && isPastDanger ? counts.danger - shown('danger') : 0
  if (inDanger > 0) return { count: inDanger, who: 'danger' }
  const missing = hasMore ? 0 : pagination.total - shown(filter)
  return missing > 0 ? { count: missing, who: filter } : undefined
}

/** Reading more pages than this again by hand begins with the first one. */
const fewPages = 5

/**
 * The rows of a list keep their place until the list is read by hand, left for another one, or the page is opened
 * anew. A visit to a thread is none of these. Returns what reads it by hand.
 */
function useKeptOrder(
  queryKey: QueryKey,
  { isFetching, isFetchedAfterMount, refetch }: ReturnType<typeof useInfiniteQuery>,
) {
  const client = useQueryClient()
  const hash = hashKey(queryKey)
  const release = useCallback(() => {
    const key = JSON.parse(hash) as QueryKey
    releaseOrder(key)
    client.setQueryData<Pages>(key, (list) =>
      list && list.pages.length > fewPages
        ? { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) }
        : list,
    )
  }, [client, hash])

  useEffect(() => {
    if (isFetchedAfterMount && !isFetching) keepOrder(JSON.parse(hash) as QueryKey)
  }, [hash, isFetching, isFetchedAfterMount])
  useEffect(
    () => () => {
      if (!window.location.pathname.startsWith('/message/')) release()
    },
    [release],
  )
  return useCallback(() => {
    release()
    void refetch()
  }, [release, refetch])
}

/** What has been read of this floor so far, whatever the list shows. */
function useFloorPages(place: Place) {
  const client = useQueryClient()
  const pages = client.getQueryData(occupantsQuery(place, '').queryKey)?.pages
  return useMemo(
    () => ({ people: onceEach(pages?.flatMap(({ persons }) => persons) ?? []), counts: pages?.[0]?.counts }),
    [pages],
  )
}

function useReloadWhenCleared(search: string, refetch: () => unknown) {
  const before = useRef(search)
  useEffect(() => {
    const isCleared = before.current !== '' && search === ''
    before.current = search
    if (isCleared) refetch()
  }, [search, refetch])
}
