import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BuildingUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { readBuilding } from '#web/lib/read-building.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import { toast } from '#web/ui/toast.tsx'
import type { getBuildingStatus } from '../../calls/attendance.ts'

type StatusAnswer = CallReply<typeof getBuildingStatus>

/**
 * Keys begin with the topic that makes real-time refetch them, `meta` names further ones; the poll is for when there
 * is no feed.
 */
export const buildingStatusQuery = queryOptions({
  queryKey: ['attendance', 'floor warden status'],
  queryFn: ({ signal }): Promise<StatusAnswer> => call('GET /api/event/buildings', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  meta: { topics: ['event', 'message', 'coverage'] },
})

/** Of one building; null is the default one. */
export const wardensOnDutyQuery = (building: BuildingUid | null) =>
  queryOptions({
    queryKey: ['attendance', 'wardens on duty', building],
    queryFn: ({ signal }) =>
      readBuilding(building, (query) => call('GET /api/v2/warden/onduty', { query }, { signal })),
    refetchInterval: limits.fallbackPoll,
    meta: { topics: ['event', 'message'] },
  })

/** One choice after the other. */
export function useChooseBuilding() {
  const client = useQueryClient()
  const { queryKey } = buildingStatusQuery
  return useMutation({
    scope: { id: 'floor warden status building' },
    mutationFn: (buildingId: BuildingUid) => call('POST /api/event/building/change', { body: { buildingId } }),
    onSuccess: async ({ selected_building }) => {
      // A read that began before the choice would bring the old building back.
      await client.cancelQueries({ queryKey })
      client.setQueryData<StatusAnswer>(queryKey, (before) =>
        before && 'selected_building' in before ? { ...before, selected_building } : before,
      )
    },
    onError: (error) => toast(`The building was not changed. ${sentenceFor(error)}`, { variant: 'danger' }),
  })
}
