import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#kernel/client/client.ts'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { toast } from '#web/ui/toast.tsx'

/** Days ahead belong to no event: another one does not take them off the screen. */
const meta = { anyEvent: true } as const
const pollMs = 30_000

/** Without a day: today at the site. */
export const aheadQuery = (day: string | undefined) =>
  queryOptions({
    queryKey: ['assignment', 'coverage ahead', day],
    queryFn: ({ signal }) => call('GET /api/coverage', { query: day ? { day } : {} }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
    meta,
  })

export const askableQuery = (floorId: FloorUid, day: string) =>
  queryOptions({
    queryKey: ['assignment', 'askable', floorId, day],
    queryFn: ({ signal }) => call('GET /api/coverage/people', { query: { floorId, day } }, { signal }),
    meta,
  })

export const ownDaysQuery = queryOptions({
  queryKey: ['assignment', 'own days'],
  queryFn: ({ signal }) => call('GET /api/coverage/mine', {}, { signal }),
  refetchInterval: pollMs,
  meta,
})

/** The refusals of days ahead name a person or a reason: the server's words say more than the browser's. */
const ownWords = new Set(['floor_taken', 'invalid_transition', 'busy'])
const wordsOf = (error: unknown) =>
  error instanceof ApiError && ownWords.has(error.code) ? error.message : sentenceFor(error)
const tellWhyNot = (error: unknown) => toast(wordsOf(error), { variant: 'danger' })

function useReadAgain() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['assignment'] })
}

/** Asks the person for one day. */
export function useAskForDay(floorId: FloorUid, day: string) {
  const readAgain = useReadAgain()
  const send = useKeyedSend(
    ({ personId }: { personId: PersonUid; name: string }) => `${floorId} ${day} ${personId}`,
    ({ personId }, extras) => call('POST /api/coverage/ask', { body: { floorId, day, personId } }, extras),
  )
  const ask = (personId: PersonUid, name: string) =>
    send.mutate(
      { personId, name },
      {
        onSuccess: () => toast(`${name} has been asked.`, { variant: 'success' }),
        onError: tellWhyNot,
        onSettled: readAgain,
      },
    )
  return { ask, busyWith: send.isPending ? send.variables.personId : undefined }
}

export function useTakeForDay() {
  const readAgain = useReadAgain()
  const send = useKeyedSend(
    ({ id, day }: { id: FloorUid; day: string; name: string }) => `${id} ${day}`,
    ({ id, day }, extras) => call('POST /api/coverage/take', { body: { floorId: id, day } }, extras),
  )
  const take = (floor: { id: FloorUid; day: string; name: string }) =>
    send.mutate(floor, {
      onSuccess: () => toast(`You have taken ${floor.name}.`, { variant: 'success' }),
      onError: tellWhyNot,
      onSettled: readAgain,
    })
  return {
    take,
    isTaking: ({ id, day }: { id: FloorUid; day: string }) =>
      send.isPending && send.variables.id === id && send.variables.day === day,
  }
}

/** One tap, and undo for 5 s. */
export function useOwnDay() {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (body: { day: string; in: 'yes' | 'no' }) => call('POST /api/coverage/mine', { body }),
    onSuccess: ({ day }) =>
      client.setQueryData(
        ownDaysQuery.queryKey,
        (known) => known && { ...known, days: known.days.map((one) => (one.day === day.day ? day : one)) },
      ),
    onError: () => toast('Not saved. Try again.', { variant: 'danger' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assignment'] }),
  })
  const mark = (day: string, isIn: boolean) => save.mutateAsync({ day, in: isIn ? 'yes' : 'no' }).catch(() => undefined)
  const set = async (day: string, isIn: boolean, said: string) => {
    const saved = await mark(day, isIn)
    if (!saved) return
    const undo = { label: 'Undo', onAct: () => void mark(day, !isIn) }
    toast(said, { variant: 'success', delay: 5000, slot: 'own day', action: undo })
  }
  return { set, busyWith: save.isPending ? save.variables.day : undefined }
}
