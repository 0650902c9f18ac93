import { RateLimit } from './rate-limit.ts'

/** A phone's connect and its two subscriptions cost three: one connect a second in the long run, twenty at once. */
const perSecond = 3
const burst = 60
/** Publications read from the journal for the price of one command. */
const publicationsAPiece = 25
/** How long a session's allowance is remembered after its last socket: by then it would be full again. */
const rememberMs = (burst / perSecond) * 1000

/** HUB-35: what one session may make the hub ask the database, over all its sockets. */
export class Allowance {
  readonly #rate = new RateLimit(perSecond, burst)
  #reading: Promise<unknown> = Promise.resolve()

  /** For one command that asks the database. False: too many of late. */
  take(): boolean {
    return this.#rate.take(1)
  }

  /** One read of the journal at a time. A long one is paid for afterwards: the next waits until that is made up for. */
  async read<T extends { publications: readonly unknown[]; isComplete: boolean }>(read: () => Promise<T>): Promise<T> {
    const turn = this.#reading.then(read, read)
    this.#reading = turn.catch(() => undefined)
    const found = await turn
    this.#rate.owe(found.isComplete ? found.publications.length / publicationsAPiece : burst / 3)
    return found
  }
}

/** The allowances of the sessions that have, or lately had, a socket. */
export class Allowances {
  readonly #bySession = new Map<string, { allowance: Allowance; usedAt: number }>()
  #sweptAt = performance.now()

  of(session: string): Allowance {
    const now = performance.now()
    if (now - this.#sweptAt > rememberMs) this.#sweep(now)
    const known = this.#bySession.get(session) ?? { allowance: new Allowance(), usedAt: now }
    known.usedAt = now
    this.#bySession.set(session, known)
    return known.allowance
  }

  #sweep(now: number) {
    this.#sweptAt = now
    for (const [session, { usedAt }] of this.#bySession) if (now - usedAt > rememberMs) this.#bySession.delete(session)
  }
}
