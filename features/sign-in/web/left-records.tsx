import { useEffect, useState } from 'react'
import type { OutboxRecord } from '#web/outbox/core/safety-record.ts'
import { Notice } from '#web/ui/notice.tsx'

/**
 * Pending records of wardens whose session has ended. Shows how many and whose, not about whom, because anybody may
 * be holding the phone.
 */
export function LeftRecords() {
  const records = useLeftRecords()
  const owners = new Map<string, { name: string | null; count: number }>()
  for (const { owner, ownerName } of records)
    owners.set(owner, { name: ownerName, count: (owners.get(owner)?.count ?? 0) + 1 })
  return (
    <div role="status" className="grid gap-3 empty:-mb-3">
      {[...owners].map(([owner, { name, count }]) => (
        <Notice key={owner} variant="warning">
          {count === 1 ? '1 record is waiting' : `${count} records are waiting`} on this phone for {name ?? 'a warden'}.
          Sign in to send
          {count === 1 ? ' it' : ' them'}.
        </Notice>
      ))}
    </div>
  )
}

/** Loads the outbox after the first paint, because it is empty on most phones. */
function useLeftRecords(): readonly OutboxRecord[] {
  const [records, setRecords] = useState<readonly OutboxRecord[]>([])
  useEffect(() => {
    const life = new AbortController()
    const follow = async () => {
      const { outbox } = await import('#web/outbox/outbox.ts')
      if (life.signal.aborted) return
      const show = () => setRecords(outbox.listPending())
      life.signal.addEventListener('abort', outbox.records.subscribe(show))
      outbox.start()
      show()
    }
    follow().catch(() => undefined)
    return () => life.abort()
  }, [])
  return records
}
