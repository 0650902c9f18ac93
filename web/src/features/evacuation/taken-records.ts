import type { FloorData, Occupant } from '@evac/contract/evacuation.ts'
import { limits } from '@evac/contract/limits.ts'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { SentRecord } from '../../lib/outbox-record.ts'
import { useOnSent } from '../../lib/use-outbox.ts'
import { type FloorAnswer, floorKey, occupantsKey, type Pages } from './floor-evacuation.data.ts'

/** The lists take over what the server answered, and are read again a moment later (FLOOR-22, FLOOR-26). */
export function useTakenRecords() {
  const client = useQueryClient()
  const refetchSoon = useRefetchSoon()
  const take = useCallback(
    (sent: SentRecord) => {
      void takeOver(client, sent)
      refetchSoon(sent.record.kind === 'refusal' ? limits.refetchAfterRefusal : limits.refetchAfterStatus)
    },
    [client, refetchSoon],
  )
  useOnSent(take)
}

/** Several records in the same moment are one read. */
function useRefetchSoon() {
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
        for (const queryKey of [floorKey, occupantsKey]) void client.invalidateQueries({ queryKey })
      }
      timers.current.set(delay, setTimeout(refetch, delay))
    },
    [client],
  )
}

async function takeOver(client: QueryClient, sent: SentRecord) {
  // A read that began before the server took the record would bring the old status back for a moment.
  const isShown = { predicate: ({ state }: { state: { data: unknown } }) => state.data !== undefined }
  await Promise.all([
    client.cancelQueries({ queryKey: floorKey, ...isShown }),
    client.cancelQueries({ queryKey: occupantsKey, ...isShown }),
  ])
  const change = changeOf(sent)
  if (!change) return
  patch<FloorAnswer>(client, floorKey, (data) => ('error' in data ? data : withChange(data, sent, change)))
  patch<Pages>(client, occupantsKey, (list) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, persons: page.persons.map((one) => changed(one, sent, change)) })),
  }))
}

/** The time of the read stays: one record does not make the rest of the list newer. */
function patch<T>(client: QueryClient, prefix: QueryKey, next: (data: T) => T) {
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: prefix }))
    client.setQueryData<T>(queryKey, (data) => data && next(data), { updatedAt: state.dataUpdatedAt })
}

type Change = Pick<Occupant, 'status' | 'on_floor'> | Pick<Occupant, 'reported'>

function changeOf({ reply }: SentRecord): Change | undefined {
  if ('person' in reply && reply.person) return { status: reply.person.status, on_floor: reply.person.on_floor }
  if ('action' in reply && ['add', 'sub'].includes(reply.action)) return { reported: reply.action === 'add' }
  // FLOOR-27, AMB-154
  if (import.meta.env.DEV) console.warn('An answer of an unknown shape:', reply)
  return undefined
}

const changed = <T extends { id: Occupant['id'] }>(row: T, { record }: SentRecord, change: Change): T =>
  row.id === record.about.id ? { ...row, ...change } : row

/** FLOOR-24, FLOOR-25: the refusals of the floor rise or fall by one. */
function withChange(data: FloorData, sent: SentRecord, change: Change): FloorData {
  const step = 'reported' in change && sent.record.body.floorId === data.input.floor ? (change.reported ? 1 : -1) : 0
  return {
    ...data,
    peep: 'status' in change ? data.peep.map((one) => changed(one, sent, { ...change })) : data.peep,
    refusal_to_evacuate: Math.max(0, data.refusal_to_evacuate + step),
  }
}
