import type { FloorUid } from '@evac/contract/ids.ts'
import { useCallback } from 'react'
import { keepRecord, type RecordedPerson, type StatusRecorder, useStatusRecords } from '../../people/safety-records.ts'
import { floorWords } from '../../people/status-words.ts'

/** The two records a warden makes on a floor. Both callbacks are stable per floor. */
export function useFloorRecords(floor: FloorUid | null) {
  const toRecord = useCallback<StatusRecorder>(
    ({ id, name }, status, before) =>
      floor && {
        kind: 'personStatus',
        body: { personId: id, status, floorId: before ?? floor },
        wish: null,
        about: { id, name },
      },
    [floor],
  )
  const setRefusal = useCallback(
    ({ id, name }: RecordedPerson, wish: boolean) =>
      void keepRecord(floor && { kind: 'refusal', body: { person: id, floorId: floor }, wish, about: { id, name } }),
    [floor],
  )
  return { ...useStatusRecords(toRecord, floorWords), setRefusal }
}
