/** Writes a broadcast page by page, while the first pages are already being sent. */
export class BroadcastWriting {
  readonly #writePage: () => Promise<boolean>
  readonly #stopping: AbortSignal | undefined
  #page: Promise<boolean>

  constructor(writePage: () => Promise<boolean>, stopping?: AbortSignal) {
    this.#writePage = writePage
    this.#stopping = stopping
    this.#page = this.#write()
  }

  /** Resolves when the current page is written, to false if none is left. Get it before claiming texts: those of earlier pages exist. */
  get page(): Promise<boolean> {
    return this.#page
  }

  #write(): Promise<boolean> {
    const page = this.#writePage().then((isWritten) => {
      if (isWritten && !this.#stopping?.aborted) this.#page = this.#write()
      return isWritten
    })
    // a failure reaches whoever awaits the page
    page.catch(() => undefined)
    return page
  }
}
