import { type RecordLists, useAcknowledgedRecords } from './acknowledged-records.ts'
import { RejectedRecords } from './rejected-records.tsx'
import { useOutbox } from './use-outbox.ts'

/** The safety records of a screen. Its lists adopt acknowledged records. Rejected records are listed at the foot. */
export function ScreenRecords({ lists }: { lists: RecordLists }) {
  useAcknowledgedRecords(lists)
  return <RejectedRecords records={useOutbox().rejected} />
}
