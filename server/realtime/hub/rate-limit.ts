/** A token bucket: `perSecond` on average, up to `burst` at once. */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  #tokens: number
  #at = performance.now()

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#tokens = burst
  }

  take(count: number): boolean {
    const now = performance.now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#tokens < count) return false
    this.#tokens -= count
    return true
  }

  /** Charges work that was already done. Nothing is available until the debt is paid. */
  owe(count: number) {
    this.#tokens -= count
  }
}
