import type { InfiniteData } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useStore } from '../lib/store.ts'
import { indexOf, type PeoplePage, type RowsOf } from './long-pages.ts'
import { peopleInView } from './people-in-view.ts'

/** Returns when the people in view were read. Refetches them if their page is older than the first one. */
export function useFreshView<P extends PeoplePage>(
  list: { data: InfiniteData<P> | undefined; dataUpdatedAt: number; isFetching: boolean; refetch: () => unknown },
  rowsOf: RowsOf<P>,
): number {
  const inView = useStore(peopleInView)
  const { data, dataUpdatedAt, isFetching, refetch } = list
  const oldest = data && inView.length > 0 ? oldestIn(data, rowsOf, inView) : undefined
  const isStale = oldest !== undefined && oldest < (data?.pages[0]?.readAt ?? 0)

  const asked = useRef(inView)
  useEffect(() => {
    // Once per position: if it cannot be read, the list shows its age.
    if (!isStale || isFetching || asked.current === inView) return
    asked.current = inView
    refetch()
  }, [isStale, isFetching, refetch, inView])

  return isStale ? oldest : dataUpdatedAt
}

function oldestIn<P extends PeoplePage>(list: InfiniteData<P>, rowsOf: RowsOf<P>, uids: readonly string[]) {
  const { pageOf } = indexOf(list, rowsOf)
  const ages = uids.map((uid) => list.pages[pageOf.get(uid) ?? -1]?.readAt ?? Number.POSITIVE_INFINITY)
  return Math.min(...ages)
}
