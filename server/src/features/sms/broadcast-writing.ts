/** Writes what is to be broadcast, page after page, while the first pages are on their way already. */
export class BroadcastWriting {
  readonly #writePage: () => Promise<boolean>
  readonly #stopping: AbortSignal | undefined
  #page: Promise<boolean>

  constructor(writePage: () => Promise<boolean>, stopping?: AbortSignal) {
    this.#writePage = writePage
    this.#stopping = stopping
    this.#page = this.#write()
  }

  /** The page being written; false when none is left. Take it before looking for texts: those of earlier ones are there. */
  get page(): Promise<boolean> {
    return this.#page
  }

  #write(): Promise<boolean> {
    const page = this.#writePage().then((isWritten) => {
      if (isWritten && !this.#stopping?.aborted) this.#page = this.#write()
      return isWritten
    })
    // a failure is told to whoever waits for the page
    page.catch(() => undefined)
    return page
  }
}
