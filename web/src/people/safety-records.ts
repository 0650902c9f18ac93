import type { FloorUid, PersonUid } from '@evac/contract/ids.ts'
import { type SafetyStatus, safetyValue } from '@evac/contract/vocabulary.ts'
import { useCallback, useMemo } from 'react'
import type { NewRecord, OutboxRecord } from '../outbox/core/record.ts'
import { outbox } from '../outbox/outbox.ts'
import { isKept } from '../outbox/outbox-box.ts'
import { waitingByPerson } from '../outbox/outbox-overlay.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { toast } from '../ui/toast.tsx'
import type { StatusWords } from './status-words.ts'

export interface RecordedPerson {
  id: PersonUid
  name: string
  status: SafetyStatus
  on_floor?: boolean
  floor?: FloorUid | null
}
/** How a screen says it to the server; null when it cannot. `before`: back to that floor, if they had one. Must be stable. */
export type StatusRecorder = (person: RecordedPerson, status: string, before?: FloorUid | null) => NewRecord | null

const undoFor = 5000

/** What waits on this phone, and the record a warden makes here: kept first, then shown, to be undone for five seconds. */
export function useStatusRecords(toRecord: StatusRecorder, { offered, sent }: StatusWords) {
  const { waiting } = useOutbox()
  const people = useMemo(() => waitingByPerson(waiting), [waiting])

  const setStatus = useCallback(
    async (person: RecordedPerson, status: SafetyStatus) => {
      const kept = await keepRecord(toRecord(person, sent[status]))
      if (!kept) return
      const before = safetyValue(person.status, person.on_floor ?? false)
      const undo = async () => {
        // What nobody has heard of is simply gone. Noting the status of before would take back what others saw meanwhile.
        if (!(await outbox.takeBack(kept).catch(() => false))) await keepRecord(toRecord(person, before, person.floor))
      }
      toast(`${person.name}: ${offered[status]}`, {
        delay: undoFor,
        action: { label: 'Undo', onAct: () => void undo() },
        slot: 'undo',
      })
    },
    [toRecord, offered, sent],
  )
  return { people, setStatus }
}

/** The record as it waits to be sent. The warden is told when the phone could not write it down (F31). */
export async function keepRecord(record: NewRecord | null): Promise<OutboxRecord | null> {
  try {
    if (!record) throw new Error('no floor is selected')
    const kept = await outbox.enqueue(record)
    // Felt through gloves, where the phone can.
    navigator.vibrate?.(20)
    if (!isKept(kept))
      toast('This phone cannot save records. Keep this page open until they are sent.', { slot: 'unkept' })
    return kept
  } catch {
    toast('This could not be recorded. Please try again.', { variant: 'danger' })
    return null
  }
}
