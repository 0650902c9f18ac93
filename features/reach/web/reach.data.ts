import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import type { CallAnswer } from '#kernel/route.ts'
import { call } from '#web/session/api.ts'
import type { getReach } from '../calls/reach.ts'
import type { ReachClass, ReachList } from '../kinds.ts'

type Reach = CallAnswer<typeof getReach>

/** While someone is being called. No one publishes every answer. */
const callingPoll = 3000

/** Keys begin with the topic that makes real-time refetch them. */
export const reachQuery = queryOptions({
  queryKey: ['text', 'reach'],
  queryFn: ({ signal }) => call('GET /api/event/reach', { query: {} }, { signal }),
  refetchInterval: ({ state }) => (isCalling(state.data) ? callingPoll : limits.fallbackPoll),
})

const isCalling = (reach: Reach | undefined) => reach?.classes.some(({ trying }) => trying > 0) ?? false

export const reachedQuery = (reachClass: ReachClass, list: ReachList) =>
  infiniteQueryOptions({
    queryKey: ['text', 'reach', reachClass, list],
    initialPageParam: null as Reach['next'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /api/event/reach',
        { query: { class: reachClass, list, ...(pageParam !== null && { after: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next }) => next,
    refetchInterval: callingPoll,
  })
