import { setTimeout as delay } from 'node:timers/promises'
import { listOccupants } from '#features/evacuation/calls/evacuation.ts'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import type { Call } from '#kernel/client/client.ts'

/** Milliseconds between two reads of the same list. */
const pauseMs = 1000

/** The occupants of a floor as a phone shows them. The list is read again after each publication about the floor. */
export class FloorList {
  readonly floorUid: string
  /** Status by person. */
  people = new Map<string, string>()
  /** When the read that is shown began, by performance.now(). */
  readAt = Number.NEGATIVE_INFINITY
  readonly #call: Call
  #isWanted = false
  #isReading = false
  #isClosed = false

  constructor(call: Call, floorUid: string) {
    this.#call = call
    this.floorUid = floorUid
  }

  hear(data: unknown) {
    const { changed = [] } = data as Publication
    const isOurs = ({ topic, ids }: { topic: string; ids: string[] }) =>
      topic === 'floor' && (ids.length === 0 || ids.includes(this.floorUid))
    if (changed.some(isOurs)) this.readAnew()
  }

  /** True if no read is under way. */
  get isAtRest() {
    return !this.#isReading
  }

  /** During a read, it reads once more after it. */
  readAnew() {
    this.#isWanted = true
    if (!this.#isReading) void this.#readOn()
  }

  close() {
    this.#isClosed = true
  }

  async #readOn() {
    this.#isReading = true
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false
      const from = performance.now()
      try {
        this.people = await this.#read()
        this.readAt = from
      } catch {
        this.#isWanted = true
      }
      await delay(pauseMs)
    }
    this.#isReading = false
  }

  async #read() {
    const people = new Map<string, string>()
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { floor: this.floorUid as never, page: String(page) }
      const { persons, pagination } = await this.#call(listOccupants, { query })
      for (const { id, status } of persons) people.set(id, status)
      pages = pagination.total_pages
    }
    return people
  }
}
