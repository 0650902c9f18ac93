import { deliver } from './delivery.ts'
import type { Phone } from './phone.ts'
import { pauseAfter } from './retry.ts'
import { type Answer, isPending, type OutboxRecord } from './safety-record.ts'

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

/** Stores the result of a record that the server has answered. The queue is read again afterwards. */
type Settle = (record: OutboxRecord, answer: Answer) => Promise<void>
/** `retry`: some records are still unanswered. */
type Outcome = 'done' | 'retry'

/** This warden's pending records, in the order of the taps. */
async function listQueue({ storage, session }: Phone): Promise<OutboxRecord[]> {
  const owner = session()?.Person_UID
  return (await storage.list()).filter((record) => record.owner === owner && isPending(record))
}

/** Sends the queue, one record at a time. */
async function sendQueue(phone: Phone, settle: Settle, isOver: () => boolean): Promise<Outcome> {
  // A record on which the server fails delays only the records of the same person or floor.
  const stuck = new Set<string>()
  for (;;) {
    // 1. Choose the oldest record of a person or floor without a stuck record.
    const queue = await listQueue(phone)
    const next = queue.find(({ about }) => !stuck.has(about.id))
    if (!next || isOver()) return queue.length ? 'retry' : 'done'
    // 2. Mark it as tried: it can no longer be taken back. If it has just been taken back, start over.
    if (!next.tried && phone.isOnline() && !(await markTried(phone, next))) continue
    // 3. Send it once.
    const delivery = await deliver(next, phone)
    // 4. Store the result, or continue with other people, or stop until the next retry.
    if (delivery === 'not now') return 'retry'
    if (delivery === 'stuck') stuck.add(next.about.id)
    else await settle(next, delivery)
  }
}

const markTried = ({ storage }: Phone, { seq }: OutboxRecord) =>
  storage.look(seq, (record) => ({ ...record, tried: true }))
