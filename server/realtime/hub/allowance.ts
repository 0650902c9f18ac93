import { RateLimit } from './rate-limit.ts'

/**
 * A connect with two subscriptions costs three commands. So the limit is one connect per second on average and twenty
 * in a burst.
 */
const perSecond = 3
const burst = 60
/** Number of publications read from the journal at the price of one command. */
const publicationsAPiece = 25
/** How long a session's allowance is kept after its last socket. By then it would be full again. */
const rememberMs = (burst / perSecond) * 1000

/** Limits how much one session can make the hub query the database, over all its sockets. */
export class Allowance {
  readonly #rate = new RateLimit(perSecond, burst)
  #reading: Promise<unknown> | null = null

  /** Charges one command that queries the database. False if the allowance is used up. */
  take(): boolean {
    return this.#rate.take(1)
  }

  /**
   * Reads the journal, one read at a time. A long read is charged afterwards: the next one waits until the debt is
   * paid.
   */
  async read<T extends { publications: readonly unknown[]; isComplete: boolean }>(read: () => Promise<T>): Promise<T> {
    const turn = this.#reading?.then(read, read) ?? read()
    this.#reading = turn.catch(() => undefined)
    const found = await turn
    this.#rate.owe(found.isComplete ? found.publications.length / publicationsAPiece : burst / 3)
    return found
  }
}

/** The allowances of sessions that have, or recently had, a socket. */
export class Allowances {
  readonly #bySession = new Map<string, { allowance: Allowance; usedAt: number }>()
  #sweptAt = performance.now()

  of(session: string): Allowance {
    this.sweep()
    const now = performance.now()
    const known = this.#bySession.get(session) ?? { allowance: new Allowance(), usedAt: now }
    known.usedAt = now
    this.#bySession.set(session, known)
    return known.allowance
  }

  /** Forgets those that are full again. A session at rest takes no memory. */
  sweep() {
    const now = performance.now()
    if (now - this.#sweptAt <= rememberMs) return
    this.#sweptAt = now
    for (const [session, { usedAt }] of this.#bySession) if (now - usedAt > rememberMs) this.#bySession.delete(session)
  }
}
