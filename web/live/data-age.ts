import { notifyManager, type QueryCache, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/** Times of the answers on screen. Queries without an answer do not count. */
function shownAnswers(cache: QueryCache) {
  return cache
    .getAll()
    .filter((query) => query.isActive() && query.state.data !== undefined)
    .map((query) => query.state)
}

function useCacheValue<T extends number | boolean | null>(read: (cache: QueryCache) => T): T {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((tell: () => void) => cache.subscribe(notifyManager.batchCalls(tell)), [cache])
  return useSyncExternalStore(subscribe, () => read(cache))
}

/** When the oldest answer on screen arrived, or null if there is none. */
export const useOldestShown = () =>
  useCacheValue((cache) => {
    const times = shownAnswers(cache).map((state) => state.dataUpdatedAt)
    return times.length ? Math.min(...times) : null
  })

/** True while something on screen could not be refreshed at the last attempt. */
export const useRefreshFailing = () =>
  useCacheValue((cache) => shownAnswers(cache).some((state) => state.errorUpdatedAt > state.dataUpdatedAt))
