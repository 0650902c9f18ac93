import type { Phone } from './phone.ts'
import { listQueue, type Outcome, type Settle, sendQueue } from './queue.ts'
import { pauseAfter } from './retry.ts'

export interface Sender {
  /** Something may go better now: a new record, signal, the page is looked at again. */
  wake(): void
  stop(): void
}

/**
 * Sends what is pending until nothing of this warden is left.
 *
 *           wake                lock taken
 *   idle ─────────▶ take a turn ──────────▶ send the queue ──▶ done: idle
 *                     ▲     │ another tab sends      │ later
 *                wake │     ▼                        │
 *                     └── pause (retry.ts) ◀─────────┘
 */
export function createSender(phone: Phone, settle: Settle): Sender {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false
  let isStopped = false

  const settleOne: Settle = async (record, answer) => {
    await settle(record, answer)
    failures = 0
  }

  const takeTurn = async (): Promise<Outcome> => {
    const [head] = await listQueue(phone)
    if (!head) return 'done'
    return phone.withLock(head.key, (isOver) => sendQueue(phone, settleOne, () => isStopped || isOver()))
  }

  /** Woken during a turn: one more after it. */
  const run = async () => {
    clearTimeout(timer)
    isRunning = true
    let outcome: Outcome
    do {
      isWanted = false
      // A storage that cannot be read now is tried again like a server that cannot be reached.
      outcome = await takeTurn().catch(() => 'later' as const)
    } while (isWanted && !isStopped)
    isRunning = false
    if (outcome === 'later' && !isStopped) timer = setTimeout(run, pauseAfter(failures++))
  }

  return {
    wake() {
      failures = 0
      isWanted = true
      if (!isRunning && !isStopped) void run()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
