import type { Occupant } from '@evac/contract/calls/evacuation.ts'
import { limits } from '@evac/contract/limits.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useKept } from '../../lib/kept.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { isSearchLimited, onceEach, pagingOf } from '../../reads/people-pages.ts'
import { useFreshView } from '../../reads/use-fresh-view.ts'
import { occupantsQuery, ofOccupants, type Place } from './floor-evacuation.data.ts'

export type OccupantSearch = ReturnType<typeof useOccupantSearch>

/** The people of the floor. The search starts once typing pauses. */
export function useOccupantSearch(place: Place) {
  const [typed, setTyped] = useKept('/floor/evacuation search', '')
  const list = useOccupants(place, useDebounced(typed.trim(), limits.searchDebounce))
  return { typed, setTyped, ...list }
}

/** The people of the floor, or the matches of a search. If the server is unreachable, the search covers the people on the phone. */
function useOccupants(place: Place, search: string) {
  const list = useInfiniteQuery(occupantsQuery(place, search))
  const known = useKnown(place)
  useReloadWhenCleared(search, list.refetch)

  const isLimited = isSearchLimited(search, list)
  const pages = list.data?.pages
  const people = useMemo(() => {
    if (isLimited) return known.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    return pages && onceEach(pages.flatMap(({ persons }) => persons))
  }, [isLimited, known, pages, search])

  return {
    people,
    total: pages?.[0]?.pagination.total,
    asOf: useFreshView(list, ofOccupants.rowsOf),
    ...pagingOf(list, isLimited),
    loadMore: list.fetchNextPage,
    refetch: list.refetch,
  }
}

/** The people of this floor that have been read so far. */
function useKnown(place: Place): readonly Occupant[] {
  const client = useQueryClient()
  const pages = client.getQueryData(occupantsQuery(place, '').queryKey)?.pages
  return useMemo(() => onceEach(pages?.flatMap(({ persons }) => persons) ?? []), [pages])
}

/** FLOOR-34. */
function useReloadWhenCleared(search: string, refetch: () => unknown) {
  const before = useRef(search)
  useEffect(() => {
    const isCleared = before.current !== '' && search === ''
    before.current = search
    if (isCleared) refetch()
  }, [search, refetch])
}
