import type { Call } from '#kernel/client/client.ts'
import { type Outbox, openOutbox } from '#web/outbox/core/outbox.ts'
import type { Session } from '#web/outbox/core/phone.ts'
import type { OutboxRecord } from '#web/outbox/core/safety-record.ts'
import { memoryStorage } from './memory-storage.ts'

interface MemoryPhone {
  /** Throws ApiError. Without an answer its code is `unreachable`. */
  call: Call
  session: () => Session | null
  /** Milliseconds since 1970 by this phone's own clock. */
  now?: () => number
  /** Called for each record before it can be sent, also for one that is sent again under a new key. */
  onStored?: (record: OutboxRecord) => void
  /** Called for each rejected record, which the warden then dismisses. */
  onRejected?: (record: OutboxRecord) => void
}

/** The product's outbox on a phone without a screen. */
export function openMemoryOutbox({ call, session, now = Date.now, onStored, onRejected }: MemoryPhone): Outbox {
  let shown: readonly OutboxRecord[] = []
  const read = new Set<string>()
  const dismiss = (record: OutboxRecord) => {
    if (record.setback === undefined || read.has(record.key)) return
    read.add(record.key)
    onRejected?.(record)
    void outbox.dismiss(record)
  }
  const records = {
    get: () => shown,
    set(next: readonly OutboxRecord[]) {
      shown = next
      for (const record of next) dismiss(record)
    },
  }
  const phone = {
    storage: memoryStorage((record) => onStored?.(record)),
    call,
    session,
    ownerName: () => null,
    withLock: <T>(_head: string, work: (isOver: () => boolean) => Promise<T>) => work(() => false),
    tabs: undefined,
    now,
    isOnline: () => true,
    onHope: () => undefined,
  }
  const outbox = openOutbox(phone, records)
  return outbox
}
