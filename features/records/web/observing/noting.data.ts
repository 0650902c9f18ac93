import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { createCaller } from '#kernel/client/client.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { call, send } from '#web/session/api.ts'
import type { RecordAddition } from '../../calls/additions.ts'
import type { getObserved, Noting, noteAsObserver } from '../../calls/observing.ts'

export type NewNote = CallInput<typeof noteAsObserver>['body']
export type Observed = CallReply<typeof getObserved>

/** Events of the last days, too: another event does not take them off the screen. */
const meta = { anyEvent: true } as const

export const observedQuery = queryOptions({
  queryKey: ['event', 'observed'],
  queryFn: ({ signal }) => call('GET /api/event/observation', {}, { signal }),
  meta,
})

export const notingQuery = (event: EventUid) =>
  queryOptions({
    queryKey: ['event', 'noting', event],
    queryFn: ({ signal }) =>
      call('GET /api/event/records/:eventUid/entries', { params: { eventUid: event } }, { signal }),
    meta,
  })

/** Makes calls by an observer's link. */
export const callAsObserver = (token: string) => createCaller((request) => send(request, `Observer ${token}`))

/** What the link shows. It is no one's session: kept in memory alone. */
export const byLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['observe', token],
    queryFn: ({ signal }) => callAsObserver(token)('GET /api/observe', {}, { signal }),
    refetchInterval: 60_000,
    retry: false,
    meta: { private: true },
  })

/** A note that has arrived stands among the own ones before they are read again. */
export const noteArrived = (client: QueryClient, queryKey: readonly unknown[], entry: RecordAddition) =>
  client.setQueryData<Noting>(queryKey, (known) =>
    known && !known.notes.some(({ uid }) => uid === entry.uid) ? { ...known, notes: [...known.notes, entry] } : known,
  )
