import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import { call } from '#web/session/api.ts'
import type { EventTexts, TextCounts } from '../../calls/event-texts.ts'

/** While texts go out; the feed is faster where there is one. */
const progressPoll = 3000

export const isSending = ({ counts, writing }: EventTexts) => writing || counts.queued > 0

/** Keys begin with the topic that makes real-time refetch them. */
export const eventTextsQuery = queryOptions({
  queryKey: ['text', 'counts'],
  queryFn: ({ signal }) => call('GET /api/event/texts', {}, { signal }),
  refetchInterval: ({ state }) => (state.data && isSending(state.data) ? progressPoll : limits.fallbackPoll),
})

export const unreachedQuery = infiniteQueryOptions({
  queryKey: ['text', 'unreached'],
  initialPageParam: null as string | null,
  queryFn: ({ pageParam, signal }) =>
    call('GET /api/event/texts/unreached', { query: pageParam === null ? {} : { after: pageParam } }, { signal }),
  getNextPageParam: ({ next }) => next,
})

export const sum = (counts: TextCounts) => Object.values(counts).reduce((total, one) => total + one, 0)
