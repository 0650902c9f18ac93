import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Occupant } from '#features/evacuation/calls/evacuation.ts'

/** The query of the next page. Followed only at our own host and at the path of its call. */
export function nextPageOf(url: string | null, path: string): Record<string, string> | null {
  if (!url) return null
  const { origin, pathname, searchParams } = new URL(url, window.location.origin)
  if (origin !== window.location.origin || pathname !== path) return null
  return Object.fromEntries(searchParams)
}

/** Removes duplicates: a person who moves between two pages while they are read would appear twice. */
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

/** True if the server cannot be asked. The search then covers only the people on the phone. */
export const isSearchLimited = (
  search: string,
  { isPending, fetchStatus, failureCount, isLoadingError }: PeopleQuery,
) => search !== '' && (isLoadingError || (isPending && (fetchStatus === 'paused' || failureCount > 0)))

/** The paging state of a list of people, for the part drawn below it. */
export const pagingOf = (list: PeopleQuery, isLimited: boolean) => ({
  isLimited,
  failed: list.isLoadingError && !isLimited,
  answeredAt: list.dataUpdatedAt,
  hasMore: list.hasNextPage && !isLimited,
  isLoadingMore: list.isFetchingNextPage,
  moreFailed: list.isFetchNextPageError,
  /** A running refetch must finish first, because loading more would cancel it. */
  canLoadMore: list.hasNextPage && !list.isFetching && !list.isFetchNextPageError,
})
