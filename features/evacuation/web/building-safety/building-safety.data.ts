import { queryOptions } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import { call } from '#web/session/api.ts'

/** The key begins with the topic that makes real-time refetch it; the poll is for what comes without one. */
export const safetySummaryQuery = queryOptions({
  queryKey: ['evacuee', 'building safety'],
  queryFn: ({ signal }) => call('GET /api/building/evacuation/data', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  meta: { topics: ['event'] },
})
