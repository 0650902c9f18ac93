import { useCallback, useMemo } from 'react'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { type SafetyStatus, safetyValue } from '#kernel/vocabulary.ts'
import { isQuiet } from '../lib/look/quiet.ts'
import { type Group, sayNow } from '../live/response.ts'
import type { NewRecord, OutboxRecord } from '../outbox/core/safety-record.ts'
import { outbox } from '../outbox/outbox.ts'
import { pendingByPerson } from '../outbox/outbox-overlay.ts'
import { isSaved } from '../outbox/outbox-storage.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { toast } from '../ui/toast.tsx'
import type { StatusWords } from './status-words.ts'

export interface RecordedPerson {
  id: PersonUid
  name: string
  status: SafetyStatus
  on_floor?: boolean
  floor?: FloorUid | null
  group?: Group | undefined
}
/** Builds the record of a screen, or null if no floor is selected. `before` is the floor to return to. Must be stable. */
export type StatusRecorder = (person: RecordedPerson, status: string, before?: FloorUid | null) => NewRecord | null

const undoFor = 5000

/** Pending changes by person, and a function that records a status: stored first, then shown, with undo for five seconds. */
export function useStatusRecords(toRecord: StatusRecorder, { offered, sent }: StatusWords) {
  const { pending } = useOutbox()
  const people = useMemo(() => pendingByPerson(pending), [pending])

  const setStatus = useCallback(
    async (person: RecordedPerson, status: SafetyStatus) => {
      const kept = await storeRecord(toRecord(person, sent[status]))
      if (!kept) return
      const before = safetyValue(person.status, person.on_floor ?? false)
      const undo = async () => {
        // An untried record is deleted. Recording the old status instead would overwrite what others have seen since.
        if (!(await outbox.takeBack(kept).catch(() => false))) await storeRecord(toRecord(person, before, person.floor))
      }
      toast(`${person.name}: ${sayNow(person.group)(offered[status])}`, {
        delay: undoFor,
        action: { label: 'Undo', onAct: () => void undo() },
        slot: 'undo',
      })
    },
    [toRecord, offered, sent],
  )
  return { people, setStatus }
}

/** Puts a record into the outbox. Warns the warden if the phone cannot store it. Null if it failed. */
export async function storeRecord(record: NewRecord | null): Promise<OutboxRecord | null> {
  try {
    if (!record) throw new Error('no floor is selected')
    const kept = await outbox.enqueue(record)
    // Felt through gloves, on phones that vibrate.
    if (!isQuiet()) navigator.vibrate?.(20)
    if (!isSaved(kept))
      toast('This phone cannot save records. Keep this page open until they are sent.', { slot: 'unsaved' })
    return kept
  } catch {
    toast('This could not be recorded. Please try again.', { variant: 'danger' })
    return null
  }
}
