import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Occupant } from '#features/evacuation/calls/evacuation.ts'
import type { FloorStatusUid } from '#kernel/ids.ts'
import { floorOf, type RecordKind, type SentRecord } from './core/safety-record.ts'
import { useOnSent } from './use-outbox.ts'

export type Change =
  | Pick<Occupant, 'status' | 'on_floor' | 'floor'>
  | Pick<Occupant, 'reported'>
  | { floorStatus: FloorStatusUid }

/** The lists of a screen that show safety records. Must be a constant. */
export interface RecordLists {
  keys: readonly QueryKey[]
  /** Milliseconds until they are refetched. */
  refetchAfter: (kind: RecordKind) => number
  /** Puts an acknowledged record into the lists. */
  apply: (client: QueryClient, sent: SentRecord, change: Change) => void
}

/** Puts each reply into the lists and refetches them shortly after. */
export function useAcknowledgedRecords(lists: RecordLists) {
  const client = useQueryClient()
  const refetchSoon = useRefetchSoon(lists)
  const show = useCallback(
    (sent: SentRecord) => {
      if (sent.record.kind === 'note') return
      void applyReply(client, lists, sent)
      // The status of a floor changes nothing else on screen
      if (sent.record.kind !== 'floorStatus') refetchSoon(lists.refetchAfter(sent.record.kind))
    },
    [client, lists, refetchSoon],
  )
  useOnSent(show)
}

/** Records within one delay cause one refetch. */
function useRefetchSoon({ keys }: RecordLists) {
  const client = useQueryClient()
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>())

  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running.values()) clearTimeout(timer)
      running.clear()
    }
  }, [])

  return useCallback(
    (delay: number) => {
      if (timers.current.has(delay)) return
      const refetch = () => {
        timers.current.delete(delay)
        for (const queryKey of keys) void client.invalidateQueries({ queryKey })
      }
      timers.current.set(delay, setTimeout(refetch, delay))
    },
    [client, keys],
  )
}

async function applyReply(client: QueryClient, { keys, apply }: RecordLists, sent: SentRecord) {
  // A read that began before the server stored the record would show the old status for a moment.
  const isShown = { predicate: ({ state }: { state: { data: unknown } }) => state.data !== undefined }
  await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey, ...isShown })))
  const change = changeOf(sent)
  if (change) apply(client, sent, change)
}

/** Keeps the time of the read, because one record does not make the rest of the list newer. */
export function patchQueries<T>(client: QueryClient, prefix: QueryKey, next: (data: T) => T) {
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: prefix }))
    client.setQueryData<T>(queryKey, (data) => data && next(data), { updatedAt: state.dataUpdatedAt })
}

function changeOf({ record, reply }: SentRecord): Change | undefined {
  if (record.kind === 'floorStatus')
    return 'overruled' in reply && reply.overruled ? undefined : { floorStatus: record.body.floorStatusId }
  if ('person' in reply && reply.person) {
    const floor = !reply.superseded && floorOf(record)
    return { status: reply.person.status, on_floor: reply.person.on_floor, ...(floor && { floor }) }
  }
  if ('action' in reply && ['add', 'sub'].includes(reply.action)) return { reported: reply.action === 'add' }
  if (import.meta.env.DEV) console.warn('An answer of an unknown shape:', reply)
  return undefined
}

export const withChange = <T extends { id: Occupant['id'] }>(row: T, { record }: SentRecord, change: Change): T =>
  row.id === record.about.id ? { ...row, ...change } : row
