import * as limits from '@evac/contract/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/api.ts'

/** An opening publishes nothing, so the list is polled. */
export const readersQuery = queryOptions({
  queryKey: ['event', 'plan readers'],
  queryFn: ({ signal }) => call('GET /api/event/plans/readers', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
})
