import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { join } from './join.ts'

/** A channel with more listeners gets at most four publications a second. */
export const crowdedFrom = 500
const apartMs = 250

export interface Told {
  channel: string
  data: Publication
  /** The transactions that it tells of: the oldest and the newest. */
  since: number
  at: number
  isUrgent: boolean
}

/**
 * Holds publications that wait, and joins those of one channel. The first after a pause goes at once. What is urgent never waits,
 * and takes along what does. Two instructions are never joined: a phone shows each.
 */
export class Pacer {
  readonly #isCrowded: (channel: string) => boolean
  readonly #waiting = new Map<string, Told[]>()
  /** Of crowded channels, for as long as it matters. */
  readonly #toldAt = new Map<string, number>()

  constructor(isCrowded: (channel: string) => boolean) {
    this.#isCrowded = isCrowded
  }

  /** Transactions come in order. */
  add(xid: number, { channel, data, isUrgent = false }: { channel: string; data: Publication; isUrgent?: boolean }) {
    const line = this.#waiting.get(channel)
    const last = line?.at(-1)
    if (!line || !last || (last.data.instruction && data.instruction)) {
      const told = { channel, data, since: xid, at: xid, isUrgent }
      this.#waiting.set(channel, line ? [...line, told] : [told])
    } else
      line[line.length - 1] = {
        ...last,
        data: join(last.data, data),
        at: xid,
        isUrgent: last.isUrgent || isUrgent,
      }
  }

  /** What is to be told now: of each channel one at most, the oldest. `now` in milliseconds. */
  take(now = performance.now()): Told[] {
    for (const [channel, at] of this.#toldAt) if (now - at >= apartMs) this.#toldAt.delete(channel)
    const due = [...this.#waiting].filter(
      ([channel, line]) => line.some(({ isUrgent }) => isUrgent) || !this.#toldAt.has(channel),
    )
    return due.flatMap(([channel, [first, ...rest]]) => {
      if (rest.length > 0) this.#waiting.set(channel, rest)
      else this.#waiting.delete(channel)
      if (this.#isCrowded(channel)) this.#toldAt.set(channel, now)
      return first ? [first] : []
    })
  }

  /** Milliseconds until something is due. Infinity if nothing waits. */
  dueIn(now = performance.now()): number {
    const times = [...this.#waiting.keys()].map(
      (channel) => (this.#toldAt.get(channel) ?? now - apartMs) + apartMs - now,
    )
    return Math.max(0, Math.min(...times))
  }

  /** The oldest transaction that was not told. Undefined if nothing waits. */
  oldest(): number | undefined {
    const waiting = [...this.#waiting.values()].flatMap(([first]) => (first ? [first.since] : []))
    return waiting.length > 0 ? Math.min(...waiting) : undefined
  }

  /** Forgets what waits: it belongs to another history. */
  clear() {
    this.#waiting.clear()
  }
}
