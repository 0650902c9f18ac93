import type { Need } from '../../open-tasks.ts'
import { needPlace } from '../open-tasks/open-task-words.ts'
import { needsIn } from '../open-tasks/open-tasks-in.ts'
import { sayOfAll } from '../parts/say.ts'
import type { Picture } from '../reading/board-snapshot.ts'

/** Milliseconds between two sounds, and between two sentences. */
const apart = 10_000

interface Place {
  need: Need
  /** What is news when it rises: people in danger; of calls for help when the newest came. */
  mark: number
}

/**
 * Watches people in danger and calls for help from reading to reading. What stands at the first reading is no news. What
 * rises within the 10 s is told with the next reading after them.
 */
export class DangerWatch {
  #known: Map<string, number> | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  /** The sentences for what is new, or undefined. `now` in milliseconds. */
  read(picture: Picture, now: number): string | undefined {
    const places = needsIn(picture).flatMap(watched)
    const marks = new Map(places.map(({ need, mark }) => [need.key, mark]))
    const known = this.#known
    if (!known) {
      this.#known = marks
      return undefined
    }
    const risen = places.filter(({ need, mark }) => mark > (known.get(need.key) ?? 0))
    // people in danger who became fewer may become more again; a call that was answered never comes again
    for (const [key, mark] of known)
      known.set(key, key.startsWith('call ') ? mark : Math.min(mark, marks.get(key) ?? 0))
    if (risen.length === 0 || now - this.#toldAt < apart) return undefined
    this.#toldAt = now
    this.#known = new Map([...known, ...marks])
    const [dangers, calls] = [risen.filter(({ need }) => need.kind === 'danger'), risen.filter(isCall)]
    const newly = dangers.reduce((sum, { need, mark }) => sum + mark - (known.get(need.key) ?? 0), 0)
    return [
      dangers.length > 0 && `New: ${sayOfAll(picture)(`${newly} in danger`)}, ${placesOf(dangers, picture)}`,
      calls.length > 0 && `New call for help, ${placesOf(calls, picture)}`,
    ]
      .filter(Boolean)
      .join('. ')
  }
}

const isCall = ({ need }: Place) => need.kind === 'call'

function watched(need: Need): Place[] {
  if (need.kind === 'danger') return [{ need, mark: need.count }]
  // seconds: one that came as the event began is news, too
  return need.calls ? [{ need, mark: need.calls.newest + 1 }] : []
}

function placesOf(risen: readonly Place[], picture: Picture): string {
  const first = risen[0]
  const { building = '', floor } = first ? needPlace(first.need, picture) : {}
  const place = floor === undefined ? building : `${building} · ${floor}`
  return `${place}${risen.length > 1 ? ` and ${risen.length - 1} more` : ''}`
}
