import { useEffect, useState } from 'react'
import { type RecordLists, useAcknowledgedRecords } from './acknowledged-records.ts'
import type { RejectedRecords } from './rejected-records.tsx'
import { useOutbox } from './use-outbox.ts'

/** The safety records of a screen. Its lists adopt acknowledged records. Rejected records are listed at the foot. */
export function ScreenRecords({ lists }: { lists: RecordLists }) {
  useAcknowledgedRecords(lists)
  const { rejected } = useOutbox()
  const Rejected = useRejectedRecords(rejected.length > 0)
  return Rejected && <Rejected records={rejected} />
}

/** Not part of the first load. The parts for every page of a signed-in warden have it, so it is there without signal. */
function useRejectedRecords(isWanted: boolean) {
  const [loaded, setLoaded] = useState<{ Rejected: typeof RejectedRecords }>()
  useEffect(() => {
    if (!isWanted || loaded) return
    import('./rejected-records.tsx').then(
      ({ RejectedRecords }) => setLoaded({ Rejected: RejectedRecords }),
      () => undefined,
    )
  }, [isWanted, loaded])
  return loaded?.Rejected
}
