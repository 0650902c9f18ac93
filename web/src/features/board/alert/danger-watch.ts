import { needPlace } from '../needs/need-words.ts'
import { needsIn } from '../needs/needs-in.ts'
import type { Picture } from '../reading/picture.ts'

/** Milliseconds between two sounds, and between two sentences (BOARD-18, BOARD-19). */
const apart = 10_000

/**
 * Watches the people in danger from reading to reading. What stands at the first reading is no news. What rises within the
 * 10 s is told with the next reading after them.
 */
export class DangerWatch {
  #known: Map<string, number> | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  /** The sentence for what is new, or undefined. `now` in milliseconds. */
  read(picture: Picture, now: number): string | undefined {
    const dangers = needsIn(picture).filter(({ kind }) => kind === 'danger')
    const counts = new Map(dangers.map(({ key, count }) => [key, count]))
    const known = this.#known
    if (!known) {
      this.#known = counts
      return undefined
    }
    const risen = dangers.filter(({ key, count }) => count > (known.get(key) ?? 0))
    // what fell may rise again
    for (const [key, count] of known) known.set(key, Math.min(count, counts.get(key) ?? 0))
    if (risen.length === 0 || now - this.#toldAt < apart) return undefined
    this.#toldAt = now
    this.#known = counts
    const newly = risen.reduce((sum, { key, count }) => sum + count - (known.get(key) ?? 0), 0)
    const first = risen[0]
    const { building = '', floor } = first ? needPlace(first, picture) : {}
    const place = floor === undefined ? building : `${building} · ${floor}`
    return `New: ${newly} in danger, ${place}${risen.length > 1 ? ` and ${risen.length - 1} more` : ''}`
  }
}
