/** A retry would fail too. The message gives the reason. */
export class Undeliverable extends Error {
  override name = 'Undeliverable'
}

/** The outcome of one try. `queued` is retried after `retrySeconds`. */
export interface Handed {
  status: 'handed_over' | 'failed' | 'queued'
  reason: string | null
  providerId: string | null
  retrySeconds: number | null
}

export interface HandOver {
  /** How often it has been claimed, including this time. */
  attempts: number
  /** Limit for the provider's answer. Shorter than the lease. */
  patienceMs: number
  unreachable: string
  onTrouble: (error: unknown) => void
}

const longestRetrySeconds = 60

/** Claims and sends batches until nothing is due or `stopping` aborts. Any number of workers may run at once. */
export async function sendDue<T>(
  batchSize: number,
  claim: (count: number) => Promise<T[]>,
  settle: (batch: T[]) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  while (!stopping?.aborted) {
    const batch = await claim(batchSize)
    if (batch.length > 0) await settle(batch)
    if (batch.length < batchSize) return
  }
}

/** Sends one. Never throws, so that one delays no other. */
export async function handOver(send: () => Promise<{ providerId: string }>, options: HandOver): Promise<Handed> {
  try {
    const { providerId } = await withinPatience(send(), options.patienceMs)
    return { status: 'handed_over', reason: null, providerId, retrySeconds: null }
  } catch (error) {
    if (error instanceof Undeliverable)
      return { status: 'failed', reason: error.message, providerId: null, retrySeconds: null }
    options.onTrouble(error)
    const retrySeconds = Math.min(2 ** options.attempts, longestRetrySeconds)
    return { status: 'queued', reason: options.unreachable, providerId: null, retrySeconds }
  }
}

async function withinPatience<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error('the provider does not answer')), patienceMs)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
