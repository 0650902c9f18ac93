import type { StoredPublication } from '../hub/frames.ts'

/** About 300 bytes each. A phone that is more than 500 behind on its channel reads everything anew in any case. */
const usualMost = 5000

/** Publications by channel, oldest first. Everything that was published after `from` is there. */
interface Generation {
  from: number
  byChannel: Map<string, StoredPublication[]>
}

/**
 * The newest publications of this process. A phone that was away for a moment gets what it missed without the database.
 * Holds `most` to twice as many: the older half is dropped at once.
 */
export class RecentPublications {
  readonly #most: number
  #older: Generation
  #newer: Generation
  #count = 0

  /** `from`: the position at which publishing begins. */
  constructor(from: number, most = usualMost) {
    this.#most = most
    this.#newer = { from, byChannel: new Map() }
    this.#older = this.#newer
  }

  /** Offsets only rise. Several channels may have a publication of one offset. */
  add(channel: string, publication: StoredPublication) {
    if (this.#count === this.#most) {
      this.#older = this.#newer
      // another channel may have got this offset before
      this.#newer = { from: publication.offset, byChannel: new Map() }
      this.#count = 0
    }
    this.#count += 1
    const list = this.#newer.byChannel.get(channel)
    if (list) list.push(publication)
    else this.#newer.byChannel.set(channel, [publication])
  }

  /** What was published on the channel after `offset`. Undefined if the memory does not reach back to that offset. */
  since(channel: string, offset: number): StoredPublication[] | undefined {
    if (offset < this.#older.from) return undefined
    const generations = this.#older === this.#newer ? [this.#newer] : [this.#older, this.#newer]
    return generations.flatMap(({ byChannel }) =>
      (byChannel.get(channel) ?? []).filter((publication) => publication.offset > offset),
    )
  }
}
