import { SetBackRecords } from './set-back-records.tsx'
import { type RecordLists, useTakenRecords } from './taken-records.ts'
import { useOutbox } from './use-outbox.ts'

/** The safety records of a screen: its lists take over what the server has taken; what was not taken stays at the foot. */
export function ScreenRecords({ lists }: { lists: RecordLists }) {
  useTakenRecords(lists)
  return <SetBackRecords records={useOutbox().setBack} />
}
