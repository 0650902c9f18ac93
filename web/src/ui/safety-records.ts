import type { FloorUid, PersonUid } from '@evac/contract/ids.ts'
import { floorStatusLabel, floorStatusValue, type SafetyStatus } from '@evac/contract/vocabulary.ts'
import { useCallback, useMemo } from 'react'
import { outbox } from '../../lib/outbox.ts'
import { waitingByPerson } from '../../lib/outbox-overlay.ts'
import type { NewRecord } from '../../lib/outbox-record.ts'
import { useOutbox } from '../../lib/use-outbox.ts'
import { toast } from '../../ui/toast.tsx'

export interface RecordedPerson {
  id: PersonUid
  name: string
  status: SafetyStatus
}
const undoFor = 5000

/** What waits on this phone, and the two records a warden makes here. Both callbacks are stable per floor. */
export function useSafetyRecords(floor: FloorUid | null) {
  const { waiting } = useOutbox()
  const people = useMemo(() => waitingByPerson(waiting), [waiting])

  const setStatus = useCallback(
    async (person: RecordedPerson, status: SafetyStatus) => {
      const kept = await keep(floor && statusRecord(person, status, floor))
      if (!kept || !floor) return
      const undo = () => void keep(statusRecord(person, person.status, floor))
      toast(`${person.name}: ${floorStatusLabel[status]}`, {
        delay: undoFor,
        action: { label: 'Undo', onAct: undo },
        slot: 'undo',
      })
    },
    [floor],
  )
  const setRefusal = useCallback(
    (person: RecordedPerson, refuses: boolean) => void keep(floor && refusalRecord(person, refuses, floor)),
    [floor],
  )
  return { people, setStatus, setRefusal }
}

const statusRecord = ({ id, name }: RecordedPerson, status: SafetyStatus, floorId: FloorUid): NewRecord => ({
  kind: 'personStatus',
  body: { personId: id, status: floorStatusValue[status], floorId },
  wish: null,
  about: { id, name },
})
const refusalRecord = ({ id, name }: RecordedPerson, wish: boolean, floorId: FloorUid): NewRecord => ({
  kind: 'refusal',
  body: { person: id, floorId },
  wish,
  about: { id, name },
})

/** True once it lies on the phone. What could not be kept is not shown as kept. */
async function keep(record: NewRecord | null): Promise<boolean> {
  try {
    if (!record) throw new Error('no floor is selected')
    await outbox.enqueue(record)
    // Felt through gloves, where the phone can.
    navigator.vibrate?.(20)
    return true
  } catch {
    toast('This could not be saved on this phone. Please try again.', { variant: 'danger' })
    return false
  }
}
