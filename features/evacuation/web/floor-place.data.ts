import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import { toast } from '#web/ui/toast.tsx'
import type { FloorData } from '../calls/evacuation.ts'
import { type FloorAnswer, floorKey, startList } from './floor-evacuation.data.ts'

const tellFailure = (what: string) => (error: Error) => toast(`${what} ${sentenceFor(error)}`, { variant: 'danger' })

/** Perhaps only the answer was lost. Reads the server's place at once, so that the screen does not jump there later. */
const placeFailed = (client: QueryClient, what: string) => (error: Error) => {
  tellFailure(what)(error)
  void client.invalidateQueries({ queryKey: floorKey })
}

/** Sends choices of place one at a time, so that the last one wins. */
const inOrder = { scope: { id: 'floor evacuation place' } }

/**
 * Cancels reads that began before the change, because they would restore the old place. Reads the new place once more: what changed
 * there before its answer arrived was none of the old place's business.
 */
async function replaceData(client: QueryClient, next: (before: FloorData) => FloorData) {
  await client.cancelQueries({ queryKey: floorKey })
  client.setQueryData<FloorAnswer>(floorKey, (before) => (before && !('error' in before) ? next(before) : before))
  void client.invalidateQueries({ queryKey: floorKey })
}

export function useChangeFloor() {
  const client = useQueryClient()
  return useMutation({
    ...inOrder,
    mutationFn: (floor: FloorUid) => call('POST /api/floor/evacuation/floor/change', { body: { floor } }),
    onSuccess: ({ peep, status, refusal_to_evacuate }, floor) =>
      replaceData(client, (before) => ({
        ...before,
        input: { ...before.input, floor, status },
        peep,
        refusal_to_evacuate,
      })),
    onError: placeFailed(client, 'The floor was not changed.'),
  })
}

export function useChangeBuilding() {
  const client = useQueryClient()
  return useMutation({
    ...inOrder,
    mutationFn: (building: BuildingUid) =>
      call('POST /api/floor/evacuation/building/change', {
        body: { building, order: 'attention', floors: 'building' },
      }),
    onSuccess: async (data) => {
      startList(client, data)
      await replaceData(client, () => data)
    },
    onError: placeFailed(client, 'The building was not changed.'),
  })
}
