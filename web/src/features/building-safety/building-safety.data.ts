import * as limits from '@evac/contract/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/api.ts'

/** The key begins with the topic that makes real-time refetch it; the poll is for what comes without one. */
export const safetySummaryQuery = queryOptions({
  queryKey: ['evacuee', 'building safety'],
  queryFn: ({ signal }) => call('GET /api/building/evacuation/data', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  meta: { topics: ['event'] },
})
