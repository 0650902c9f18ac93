import { useCallback } from 'react'
import type { FloorUid } from '#kernel/ids.ts'
import {
  type RecordedPerson,
  type StatusRecorder,
  storeRecord,
  useStatusRecords,
} from '#web/evacuees/safety-records.ts'
import { floorWords } from '#web/evacuees/status-words.ts'

/** Records a status or a refusal on a floor. Both callbacks are stable per floor. */
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
      void storeRecord(floor && { kind: 'refusal', body: { person: id, floorId: floor }, wish, about: { id, name } }),
    [floor],
  )
  return { ...useStatusRecords(toRecord, floorWords), setRefusal }
}
