import { liveLateSeconds } from '#kernel/limits.ts'
import type { Log } from '../hub/hub-context.ts'

/** Longer than a database restart takes. After this, phones must not go on showing "Connected". */
const usualBlindMs = liveLateSeconds * 1000

/** When live updates were delayed: how long ago that began, and ended. */
export interface FeedGap {
  fromMsAgo: number
  toMsAgo: number
}

export interface InterruptionOptions {
  log: Log
  /** How long live updates may be late before they count as interrupted. */
  blindMs?: number | undefined
  /** Live updates were delayed, and no longer are. It is told again until it does not throw. */
  noteGap?: ((gap: FeedGap) => Promise<unknown>) | undefined
  /** Called once for each interruption. */
  onBegin: () => void
}

/** Notices that live updates are interrupted, and tells of it afterwards. */
export class Interruption {
  readonly #options: InterruptionOptions
  /** Since when live updates are interrupted. Null: they are not. */
  #since: number | null = null
  /** An interruption that is over and no one knows of. */
  #gap: { since: number; until: number } | null = null
  #isTelling = false

  constructor(options: InterruptionOptions) {
    this.#options = options
  }

  /** For how many milliseconds the oldest change has waited. */
  note(lateMs: number) {
    const { blindMs = usualBlindMs, onBegin } = this.#options
    const since = this.#since
    if (lateMs >= blindMs) {
      this.#since ??= performance.now() - lateMs
      if (since === null) onBegin()
    } else if (since !== null) {
      this.#since = null
      this.#gap ??= { since, until: performance.now() }
    }
  }

  /** Beside reading: a database that only reads must not stop live updates. What fails is told the next time. */
  async tell() {
    const gap = this.#gap
    if (!gap || this.#isTelling) return
    this.#isTelling = true
    const msAgo = (at: number) => performance.now() - at
    try {
      await this.#options.noteGap?.({ fromMsAgo: msAgo(gap.since), toMsAgo: msAgo(gap.until) })
      this.#gap = null
    } catch (error) {
      this.#options.log.error({ err: error }, 'A delay of live updates could not be noted')
    } finally {
      this.#isTelling = false
    }
  }
}
