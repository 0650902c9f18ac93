import { queryOptions } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import { call } from '#web/session/api.ts'

/** An opening publishes nothing, so the list is polled. */
export const readersQuery = queryOptions({
  queryKey: ['event', 'plan readers'],
  queryFn: ({ signal }) => call('GET /api/event/plans/readers', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
})
