import { Refusal } from '../platform/errors.ts'

interface Queue {
  running: number
  waiting: (() => void)[]
  /** Milliseconds of work that the session may still do without a pause. Negative: the session is in debt. */
  balance: number
  balancedAt: number
}

interface Shares {
  /** Pieces of work of one session that run at once. */
  atOnce: number
  /** Pieces that may wait. One more is `too_many_requests`. */
  longestQueue: number
  /** Milliseconds of work that a session may do in a burst, and its long-run share of the time. */
  burstMs?: number
  share: number
  /** Upper bound of a pause. On a slow database all work takes long, and that is not the session's fault. */
  longestRestMs?: number
}

const sweepMs = 10_000

/** Milliseconds of work that a request may cost on average before its session has to pause. */
const workOfRequest = 20
/** The share for a limit of requests: a fifth of the time at 600 requests per minute. */
export const shareOf = (requestsPerMinute: number) => (requestsPerMinute * workOfRequest) / 60_000

export type InTurn = ReturnType<typeof turnsBySession>

/**
 * Runs a few pieces of work of one session at once. Further ones of that session wait; other sessions do not. A session
 * that works all the time pauses after each piece, and its slot stays taken.
 */
export function turnsBySession({ atOnce, longestQueue, share, burstMs = 1000, longestRestMs = 500 }: Shares) {
  const queues = new Map<string, Queue>()
  let sweptAt = performance.now()

  function queueOf(session: string): Queue {
    const now = performance.now()
    if (now - sweptAt > sweepMs) sweep(now)
    const queue = queues.get(session) ?? { running: 0, waiting: [], balance: burstMs, balancedAt: now }
    queues.set(session, queue)
    return queue
  }

  function sweep(now: number) {
    sweptAt = now
    for (const [session, queue] of queues)
      if (queue.running === 0 && now - queue.balancedAt > (burstMs - queue.balance) / share) queues.delete(session)
  }

  /** Charges the work to the session. Returns the pause in milliseconds. */
  function restAfter(queue: Queue, took: number): number {
    const now = performance.now()
    const earned = Math.min(burstMs, queue.balance + (now - queue.balancedAt) * share)
    queue.balance = Math.max(earned - took, -longestRestMs * share)
    queue.balancedAt = now
    return Math.max(0, -queue.balance / share)
  }

  function passOn(queue: Queue) {
    const next = queue.waiting.shift()
    // lets other sessions run between two pieces of the same session
    if (next) setImmediate(next)
    else queue.running--
  }

  return async function inTurn<T>(session: string, work: () => Promise<T>): Promise<T> {
    const queue = queueOf(session)
    if (queue.running < atOnce) queue.running++
    else {
      if (queue.waiting.length >= longestQueue) throw new Refusal('too_many_requests')
      await new Promise<void>((turn) => queue.waiting.push(turn))
    }
    const start = performance.now()
    try {
      return await work()
    } finally {
      const rest = restAfter(queue, performance.now() - start)
      if (rest > 0) setTimeout(passOn, rest, queue).unref()
      else passOn(queue)
    }
  }
}
