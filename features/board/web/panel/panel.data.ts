import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FloorUid } from '#kernel/ids.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '#web/lib/new-key.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { navigate } from '#web/pages/navigate.ts'
import { call } from '#web/session/api.ts'
import { toast } from '#web/ui/toast.tsx'
import type { BoardPanel } from '../../calls/board-panel.ts'
import type { FloorPlace } from '../matrix/floors.ts'

/** Names of wardens: in memory alone. The panel asks again when the row of its floor changes. */
export const panelQuery = (place: FloorPlace['id']) =>
  queryOptions({
    queryKey: ['board', 'floor', place],
    queryFn: ({ signal }): Promise<BoardPanel> =>
      call('GET /api/event/board/floors/:floorId', { params: { floorId: place } }, { signal }),
    meta: { private: true },
    gcTime: 0,
  })

/** 'Open floor': floor evacuation opens with the place of the session, so that is chosen first. */
export function useOpenFloor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (floor: FloorUid) =>
      call(
        'POST /api/floor/evacuation/floor/change',
        { body: { floor } },
        { headers: { [idempotencyKeyHeader]: newKey() } },
      ),
    onSuccess: () => {
      for (const queryKey of [
        ['floor', 'evacuation'],
        ['evacuee', 'floor evacuation'],
      ])
        client.removeQueries({ queryKey })
      navigate('/floor/evacuation')
    },
    onError: (error) => toast(`The floor was not opened. ${sentenceFor(error)}`, { variant: 'danger' }),
  })
}
