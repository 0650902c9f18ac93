import type { Phone } from './phone.ts'
import { listQueue, type Outcome, type Settle, sendQueue } from './queue.ts'
import { pauseAfter } from './retry.ts'

export interface Sender {
  /** Sends at once: there is a new record, the signal is back, or the page is visible again. */
  wake(): void
  stop(): void
}

/**
 * Sends this warden's pending records until none is left.
 *
 *           wake                lock taken
 *   idle ─────────▶ take a turn ──────────▶ send the queue ──▶ done: idle
 *                     ▲     │ another tab sends      │ retry
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

  const takeTurn = async (): Promise<Outcome | 'locked'> => {
    const [head] = await listQueue(phone)
    if (!head) return 'done'
    return phone.withLock(head.key, (isOver) => sendQueue(phone, settleOne, () => isStopped || isOver()))
  }

  /** Takes another turn if it was woken during one. */
  const run = async () => {
    clearTimeout(timer)
    isRunning = true
    let outcome: Outcome | 'locked'
    do {
      isWanted = false
      // An unreadable storage is retried like an unreachable server.
      outcome = await takeTurn().catch(() => 'retry' as const)
    } while (isWanted && !isStopped)
    isRunning = false
    if (outcome !== 'done' && !isStopped) timer = setTimeout(run, pauseAfter(failures++))
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
