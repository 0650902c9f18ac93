/** More publications than this during one history read mean that the read is stuck. */
const maxHeldBack = 1000

interface Receiver {
  send: (frame: Buffer) => void
}

/** One connection's position in one channel. Holds back live publications until the earlier history has been sent. */
export class Subscription {
  readonly #receiver: Receiver
  #heldBack: { offset: number; frame: Buffer }[] | null = []
  #seen = -1

  constructor(receiver: Receiver) {
    this.#receiver = receiver
  }

  /** False if too much is held back: the connection has to start over. */
  deliver(offset: number, frame: Buffer): boolean {
    if (this.#heldBack) return this.#heldBack.push({ offset, frame }) <= maxHeldBack
    if (offset > this.#seen) {
      this.#seen = offset
      this.#receiver.send(frame)
    }
    return true
  }

  /** Sends what was held back and is newer than `seen`, then passes everything on directly. */
  goLive(seen: number) {
    const heldBack = this.#heldBack ?? []
    this.#heldBack = null
    this.#seen = seen
    for (const { offset, frame } of heldBack) this.deliver(offset, frame)
  }
}
