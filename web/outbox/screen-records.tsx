import { useLateFile } from '../pages/use-late-file.ts'
import { type RecordLists, useAcknowledgedRecords } from './acknowledged-records.ts'
import { useOutbox } from './use-outbox.ts'

const load = () => import('./rejected-records.tsx')

/** The safety records of a screen. Its lists adopt acknowledged records. Rejected records are listed at the foot. */
export function ScreenRecords({ lists }: { lists: RecordLists }) {
  useAcknowledgedRecords(lists)
  const { rejected } = useOutbox()
  const file = useLateFile(load, rejected.length > 0)
  return file && <file.RejectedRecords records={rejected} />
}
