import type { Occupant } from '@evac/contract/evacuation.ts'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

/** AMB-108: the query of the next page, which is followed only at our own host and at the path of its call. */
export function nextPageOf(url: string | null, path: string): Record<string, string> | null {
  if (!url) return null
  const { origin, pathname, searchParams } = new URL(url, window.location.origin)
  if (origin !== window.location.origin || pathname !== path) return null
  return Object.fromEntries(searchParams)
}

/** Somebody who moves between two pages while they are read would appear twice. */
export function onceEach(people: readonly Occupant[]): readonly Occupant[] {
  const seen = new Set<string>()
  return people.filter(({ evacuee_list_uid: uid }) => !seen.has(uid) && seen.add(uid))
}

type PeopleQuery = Pick<
  UseInfiniteQueryResult,
  | 'isPending'
  | 'fetchStatus'
  | 'failureCount'
  | 'isLoadingError'
  | 'dataUpdatedAt'
  | 'hasNextPage'
  | 'isFetching'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
>

/** A search that the server cannot be asked: it looks among the people on the phone. */
export const isSearchLimited = (
  search: string,
  { isPending, fetchStatus, failureCount, isLoadingError }: PeopleQuery,
) => search !== '' && (isLoadingError || (isPending && (fetchStatus === 'paused' || failureCount > 0)))

/** Where a list of people stands, for what is drawn below it. */
export const pagingOf = (list: PeopleQuery, isLimited: boolean) => ({
  isLimited,
  failed: list.isLoadingError && !isLimited,
  answeredAt: list.dataUpdatedAt,
  hasMore: list.hasNextPage && !isLimited,
  isLoadingMore: list.isFetchingNextPage,
  moreFailed: list.isFetchNextPageError,
  /** A refetch under way must end first: asking for more would cut it off. */
  canLoadMore: list.hasNextPage && !list.isFetching && !list.isFetchNextPageError,
})
