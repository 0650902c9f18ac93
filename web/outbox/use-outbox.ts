import { useEffect, useMemo } from 'react'
import { useStore } from '../lib/store.ts'
import { useAuth } from '../session/stored-auth.ts'
import { isPending, type SentRecord } from './core/safety-record.ts'
import { outbox } from './outbox.ts'

/** This warden's pending and rejected records. */
export function useOutbox() {
  const me = useAuth()?.Person_UID
  const all = useStore(outbox.records)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another warden has other records to send
  useEffect(() => {
    outbox.start()
    outbox.wake()
  }, [me])

  return useMemo(() => {
    const mine = all.filter(({ owner }) => owner === me)
    return { pending: mine.filter(isPending), rejected: mine.filter((record) => !isPending(record)) }
  }, [all, me])
}

/** Calls `listener`, which must be stable, for each acknowledged record. */
export function useOnSent(listener: (sent: SentRecord) => void) {
  useEffect(() => outbox.onSent(listener), [listener])
}
