import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { StatusTotals } from '#kernel/vocabulary.ts'
import { isNamed } from '#web/evacuees/search/find-names.ts'
import { isSearchLimited, onceEach, pagingOf } from '#web/reads/people-pages.ts'
import { useFreshView } from '#web/reads/use-fresh-view.ts'
import type { FilterSet } from '../../calls/safety.ts'
import { evacueesKey, evacueesQuery, ofEvacuees, type Pages } from './safety.data.ts'

/** The people the filters leave; where the server cannot be asked, whoever of them is among those on the phone. */
export function useEvacuees(filters: FilterSet, enabled: boolean) {
  const list = useInfiniteQuery({ ...evacueesQuery(filters), enabled })
  const known = useKnown()

  const isLimited = isSearchLimited(filters.search, list)
  const pages = list.data?.pages
  const people = useMemo(() => {
    const isFound = isNamed(filters.search)
    if (isLimited) return known().filter(({ name }) => isFound(name))
    // The error empties the list
    return pages && (pages[0]?.error ? [] : onceEach(pages.flatMap(({ evacuees }) => evacuees)))
  }, [isLimited, known, pages, filters.search])

  const counts = useCounts(filters, pages?.[0]?.filterCounts)

  return {
    people,
    counts,
    total: isLimited ? undefined : pages?.[0]?.pagination.total,
    error: pages?.[0]?.error,
    asOf: useFreshView(list, ofEvacuees.rowsOf),
    ...pagingOf(list, isLimited),
    loadMore: list.fetchNextPage,
    refetch: list.refetch,
  }
}

/** While another display is being read the counts are known already. */
function useCounts({ display: _, ...others }: FilterSet, read: StatusTotals | undefined): StatusTotals | undefined {
  const key = JSON.stringify(others)
  const last = useRef<{ key: string; counts: StatusTotals }>(undefined)
  if (read) last.current = { key, counts: read }
  return read ?? (last.current?.key === key ? last.current.counts : undefined)
}

/** Everyone this screen has read so far, by whatever filters. */
function useKnown() {
  const client = useQueryClient()
  return useMemo(
    () => () =>
      onceEach(
        client
          .getQueriesData<Pages>({ queryKey: evacueesKey })
          .flatMap(([, list]) => list?.pages.flatMap(({ evacuees }) => evacuees) ?? []),
      ),
    [client],
  )
}
