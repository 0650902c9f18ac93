/** More than this while one history read runs means the read is stuck. */
const maxHeldBack = 1000

interface Receiver {
  send: (frame: Buffer) => void
}

/** One connection's place in one channel. It holds live publications back until the history before them has been sent. */
export class Subscription {
  readonly #receiver: Receiver
  #heldBack: { offset: number; frame: Buffer }[] | null = []
  #seen = -1

  constructor(receiver: Receiver) {
    this.#receiver = receiver
  }

  /** False when too much is held back: the connection has to start over. */
  deliver(offset: number, frame: Buffer): boolean {
    if (this.#heldBack) return this.#heldBack.push({ offset, frame }) <= maxHeldBack
    if (offset > this.#seen) {
      this.#seen = offset
      this.#receiver.send(frame)
    }
    return true
  }

  /** From now on live: first what was held back and is newer than `seen`, then everything as it comes. */
  goLive(seen: number) {
    const heldBack = this.#heldBack ?? []
    this.#heldBack = null
    this.#seen = seen
    for (const { offset, frame } of heldBack) this.deliver(offset, frame)
  }
}
