import type { Topic } from '@evac/contract/realtime.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/**
 * Real-time refetches a query by the topic that its key begins with. A list that belongs to several topics hears of the
 * others here: for each an empty query stands in the cache and is told like any other. `onChange` must be stable.
 */
export function useFurtherTopics(topics: readonly Topic[], onChange: () => void) {
  const queryClient = useQueryClient()
  const names = topics.join(' ')

  useEffect(() => {
    const cache = queryClient.getQueryCache()
    const ears = names.split(' ').map((topic) => {
      const queryKey = [topic, 'heard']
      return cache.build(queryClient, queryClient.defaultQueryOptions({ queryKey, gcTime: Number.POSITIVE_INFINITY }))
    })
    return cache.subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'invalidate' || !ears.includes(event.query)) return
      // A query that is marked already is not told a second time.
      event.query.setState({ isInvalidated: false })
      onChange()
    })
  }, [queryClient, names, onChange])
}
