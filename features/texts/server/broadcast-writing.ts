import { setTimeout as delay } from 'node:timers/promises'

/** The pause after a page, in times of what the page took: writing uses a quarter of a core at most. */
const pauses = 3

/**
 * Writes a broadcast page by page, while the first pages are already being sent. Pauses between pages, because in the first
 * seconds of an event everyone else needs the database too.
 */
export class BroadcastWriting {
  readonly #writePage: () => Promise<boolean>
  readonly #stopping: AbortSignal | undefined
  #page: Promise<boolean>
  #pause = new AbortController()

  constructor(writePage: () => Promise<boolean>, stopping?: AbortSignal) {
    this.#writePage = writePage
    this.#stopping = stopping
    this.#page = this.#write(0)
  }

  /** Resolves when the current page is written, to false if none is left. Get it before claiming texts: those of earlier pages exist. */
  get page(): Promise<boolean> {
    return this.#page
  }

  /** Ends the pause: there is nothing left to send. */
  hurry(): void {
    this.#pause.abort()
  }

  #write(pauseMs: number): Promise<boolean> {
    const page = this.#writeAfter(pauseMs)
    // a failure reaches the code that awaits the page
    page.catch(() => undefined)
    return page
  }

  async #writeAfter(pauseMs: number): Promise<boolean> {
    this.#pause = new AbortController()
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal: this.#pause.signal, ref: false }).catch(() => undefined)
    if (this.#stopping?.aborted) return false
    const begin = performance.now()
    const isWritten = await this.#writePage()
    if (isWritten) this.#page = this.#write(pauses * (performance.now() - begin))
    return isWritten
  }
}
