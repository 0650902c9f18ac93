import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from '#kernel/client/client.ts'
import type { EventUid, SiteUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { toast } from '#web/ui/toast.tsx'
import type { listActions, NewAddition, RecordAddition } from '../../calls/additions.ts'
import type { listNames, listRecords, listTimeline } from '../../calls/records.ts'
import { recordRefusals } from '../../words.ts'
import { asker } from './warden-or-console.tsx'

export type RecordsFilter = Omit<CallInput<typeof listRecords>['query'], 'after'>
export type TimelineFilter = Omit<CallInput<typeof listTimeline>['query'], 'after'>
export type ActionsFilter = Omit<CallInput<typeof listActions>['query'], 'after'>
export type NamesList = CallInput<typeof listNames>['body']['list']
export type ReadRecord = CallReply<typeof import('../../calls/records.ts').getRecord>

type RecordRefusal = keyof typeof recordRefusals

/** Records are of events that are over: another event does not take them off the screen. */
const meta = { anyEvent: true } as const
const first = null as string | null
const getNextPageParam = ({ next }: { next: string | null }) => next
const pageOf = <Filter extends object>(filter: Filter, after: string | null) => ({
  query: after === null ? filter : { ...filter, after },
})
/** Milliseconds between two reads of what is open. */
const often = 5_000
const now = 30_000

/** No one is on duty after an event: no feed tells of the record that was written since. */
export const recordsQuery = (filter: RecordsFilter) =>
  infiniteQueryOptions({
    queryKey: ['event', 'records', filter],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => asker()('GET /api/event/records', pageOf(filter, pageParam), { signal }),
    getNextPageParam,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const [page, ...others] = data?.pages ?? []
      if (others.length > 2) return false
      return page?.records.some(({ state }) => state === 'writing') ? often : now
    },
    meta,
  })

/** Asked every 5 s while it is being written, then every 30 s for what others add. */
export const recordQuery = (event: EventUid) =>
  queryOptions({
    queryKey: ['event', 'record', event],
    queryFn: ({ signal }) => asker()('GET /api/event/records/:eventUid', { params: { eventUid: event } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'writing' ? often : now),
    meta,
  })

/** Journaled as the names are, and with names in it: read when it is opened and kept in memory only. */
export const timelineQuery = (event: EventUid, filter: TimelineFilter) =>
  infiniteQueryOptions({
    queryKey: ['record timeline', event, filter],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) =>
      asker()(
        'GET /api/event/records/:eventUid/timeline',
        { params: { eventUid: event }, ...pageOf(filter, pageParam) },
        { signal },
      ),
    getNextPageParam,
    placeholderData: keepPreviousData,
    meta: { private: true },
  })

/** One file, which never changes. */
export const replayQuery = (event: EventUid) =>
  queryOptions({
    queryKey: ['event', 'replay', event],
    queryFn: ({ signal }) =>
      call('GET /api/event/records/:eventUid/replay', { params: { eventUid: event } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta,
  })

/** Each read is recorded, so it is made when someone asks for it and not again by itself. Kept on no phone. */
export const namesQuery = (event: EventUid, list: NamesList, reason?: string) =>
  infiniteQueryOptions({
    queryKey: ['record names', event, list, reason],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) =>
      asker()(
        'POST /api/event/records/:eventUid/people',
        {
          params: { eventUid: event },
          body: { list, ...(reason && { reason }), ...(pageParam !== null && { after: pageParam }) },
        },
        { signal },
      ),
    getNextPageParam,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { private: true },
  })

export const trendsQuery = (site: SiteUid) =>
  queryOptions({
    queryKey: ['event', 'trends', site],
    queryFn: ({ signal }) => asker()('GET /api/event/records/trends', { query: { site } }, { signal }),
    refetchInterval: now,
    meta,
  })

export const drillsDueQuery = queryOptions({
  queryKey: ['event', 'drills due'],
  queryFn: ({ signal }) => asker()('GET /api/event/records/due', { query: {} }, { signal }),
  refetchInterval: now,
  meta,
})

export const actionsQuery = (filter: ActionsFilter) =>
  infiniteQueryOptions({
    queryKey: ['event', 'actions', filter],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => asker()('GET /api/event/actions', pageOf(filter, pageParam), { signal }),
    getNextPageParam,
    placeholderData: keepPreviousData,
    meta,
  })

/** People who may own an action. Names are kept on no phone. */
export const ownersQuery = (q: string) =>
  queryOptions({
    queryKey: ['action owners', q],
    queryFn: ({ signal }) => call('GET /api/event/actions/owners', { query: { q } }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    meta: { private: true },
  })

export const isOf = (...names: string[]) => ({
  predicate: ({ queryKey: [topic, name] }: { queryKey: readonly unknown[] }) =>
    topic === 'event' && names.includes(name as string),
})

function noteAddition(client: QueryClient, event: EventUid, entry: RecordAddition) {
  client.setQueryData(recordQuery(event).queryKey, (known) =>
    known && !known.additions.some(({ uid }) => uid === entry.uid)
      ? { ...known, additions: [...known.additions, entry] }
      : known,
  )
  void client.invalidateQueries(isOf('records', 'actions'))
}

/** Holds the event, or lifts the hold. True if it is done, and false if the reader has been told why not. */
export function useHold(event: EventUid) {
  const client = useQueryClient()
  const send = useKeyedSend(JSON.stringify, (body: { hold: boolean; reason: string }, extras) =>
    call('POST /api/event/records/:eventUid/hold', { params: { eventUid: event }, body }, extras),
  )
  const set = async (body: { hold: boolean; reason: string }) => {
    try {
      const { hold } = await send.mutateAsync(body)
      await client.invalidateQueries(isOf('record'))
      toast(hold ? 'The event is on hold.' : 'The hold has been lifted.', { variant: 'success' })
      return true
    } catch (error) {
      toast(sentenceFor(error), { variant: 'danger' })
      return false
    }
  }
  return { set, busy: send.isPending }
}

/**
 * Adds to the record. True if it is kept, and false if the reader has been told why not. Pressed again after a lost
 * answer it adds nothing twice.
 */
export function useAddition(event: EventUid) {
  const client = useQueryClient()
  const send = useKeyedSend(JSON.stringify, (body: NewAddition, extras) =>
    asker()('POST /api/event/records/:eventUid/entries', { params: { eventUid: event }, body }, extras),
  )
  const add = async (body: NewAddition, said: string) => {
    try {
      const { entry } = await send.mutateAsync(body)
      noteAddition(client, event, entry)
      toast(said, { variant: 'success' })
      return true
    } catch (error) {
      const code = error instanceof ApiError ? error.code : ''
      toast(code in recordRefusals ? recordRefusals[code as RecordRefusal] : sentenceFor(error), { variant: 'danger' })
      if (code === 'record_changed') void client.invalidateQueries(isOf('record', 'records', 'actions'))
      return false
    }
  }
  return { add, busy: send.isPending }
}
