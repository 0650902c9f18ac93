import type { SenderLock } from './core/phone.ts'

/** Milliseconds, longer than any try. A tab that holds the lock this long without progress is asleep. */
const patience = 20_000

/**
 * Lets one tab send at a time. A hidden tab that the phone has put to sleep may keep the lock, so another tab steals it if
 * `head`, the first record of the queue, does not change. Pages on plain http have no locks: every tab sends, and the
 * idempotency keys absorb duplicates.
 */
export function withSenderLock(name: string): SenderLock {
  let seen = { head: '', since: 0 }

  return async (head, work) => {
    if (!navigator.locks) return work(() => false)
    if (seen.head !== head) seen = { head, since: Date.now() }
    const steal = Date.now() - seen.since > patience && !document.hidden
    if (steal) seen = { head: '', since: 0 }
    let over = false
    const turn = async (lock: Lock | null) => (lock ? work(() => over) : ('locked' as const))
    try {
      return await navigator.locks.request(name, steal ? { steal } : { ifAvailable: true }, turn)
    } catch (error) {
      // With blocked site data there are no locks either.
      if (isNamed(error, 'SecurityError')) return work(() => false)
      // Another tab stole the lock while this one slept.
      if (!isNamed(error, 'AbortError')) throw error
      over = true
      return 'locked'
    }
  }
}

const isNamed = (error: unknown, name: string) => error instanceof DOMException && error.name === name
