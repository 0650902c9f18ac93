import type { SenderLock } from './core/phone.ts'

/** Longer than a try may take: whoever has held the lock this long without getting anywhere is asleep. */
const patience = 20_000

/**
 * One tab at a time. `head` names what is first in the queue: a hidden tab that the phone has put to sleep may keep the
 * lock, so a queue that does not move gets a new sender. Plain http has no locks: there every tab sends, in its own order,
 * and the idempotency keys absorb what is sent twice.
 */
export function withSenderLock(name: string): SenderLock {
  let seen = { head: '', since: 0 }

  return async (head, work) => {
    if (!navigator.locks) return work(() => false)
    if (seen.head !== head) seen = { head, since: Date.now() }
    const steal = Date.now() - seen.since > patience && !document.hidden
    if (steal) seen = { head: '', since: 0 }
    let over = false
    const turn = async (lock: Lock | null) => (lock ? work(() => over) : ('later' as const))
    try {
      return await navigator.locks.request(name, steal ? { steal } : { ifAvailable: true }, turn)
    } catch (error) {
      // Blocked site data takes the locks away, too: as on plain http.
      if (isNamed(error, 'SecurityError')) return work(() => false)
      // Ours was taken while this tab slept.
      if (!isNamed(error, 'AbortError')) throw error
      over = true
      return 'later'
    }
  }
}

const isNamed = (error: unknown, name: string) => error instanceof DOMException && error.name === name
