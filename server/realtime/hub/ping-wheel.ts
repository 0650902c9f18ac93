import { closeCodes } from './codes.ts'
import type { Connection } from './connection.ts'
import { pingFrame } from './frames.ts'

const slotCount = 25
/** Slots after its ping in which a connection must answer. */
const pongSlots = 10

/**
 * One timer pings everyone: each turn visits the next slot, so 5,000 connections need one timer and cause no bursts.
 */
export class PingWheel {
  readonly #slots = Array.from({ length: slotCount }, () => new Set<Connection>())
  readonly #timer: NodeJS.Timeout
  readonly #onVisit: (connection: Connection) => void
  #turn = 0
  #next = 0

  /** Calls `onVisit` for every connection once per `pingSeconds`, just before its ping. */
  constructor(pingSeconds: number, onVisit: (connection: Connection) => void) {
    this.#onVisit = onVisit
    this.#timer = setInterval(() => this.#tick(), (pingSeconds * 1000) / slotCount)
    this.#timer.unref()
  }

  add(connection: Connection) {
    this.#next = (this.#next + 1) % slotCount
    this.#slots[this.#next]?.add(connection)
  }

  stop() {
    clearInterval(this.#timer)
  }

  #tick() {
    this.#turn = (this.#turn + 1) % slotCount
    for (const connection of this.#slot(this.#turn - pongSlots)) {
      if (connection.awaitingPong) connection.close(closeCodes.noPong)
    }
    const slot = this.#slot(this.#turn)
    for (const connection of slot) {
      if (connection.isClosed) slot.delete(connection)
      else this.#ping(connection)
    }
  }

  #ping(connection: Connection) {
    this.#onVisit(connection)
    connection.awaitingPong = true
    connection.send(pingFrame)
  }

  #slot(index: number): Set<Connection> {
    return this.#slots[(index + slotCount) % slotCount] as Set<Connection>
  }
}
