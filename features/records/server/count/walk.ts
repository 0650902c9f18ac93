import { type SafetyStatus, safetyStatuses } from '#kernel/vocabulary.ts'
import type { PersonState, PersonStep, Step } from './histories.ts'
import { isUnaccounted, Part } from './part.ts'

/** A curve and a replay have at most so many steps. */
const mostSteps = 300

/** Safe, unknown, in danger. */
export type Counts = [safe: number, unknown: number, danger: number]
const none = (): Counts => [0, 0, 0]
const column: Record<SafetyStatus, 0 | 1 | 2> = { safe: 0, unknown: 1, danger: 2 }
if (safetyStatuses.some((status, nth) => column[status] !== nth)) throw new Error('the order of states has changed')

export interface PlaceChange {
  step: number
  place: string
  counts: Counts
}

export interface Walked {
  stepSeconds: number
  /** Counts of everyone at the end of each step. */
  curve: Counts[]
  /** Counts of places at the end of each step in which they changed. */
  changes: PlaceChange[]
  /** What the figures count, and of an event made live what the drill was. */
  part: Part
  drill: Part | null
  /** Everyone in a count, as they stood at the end of the drill. */
  drillEnd: PersonState[]
  /** Everyone in a count, as they stand at their end. */
  end: ReadonlyMap<number, PersonState>
}

/** Goes through the steps in the order of time. */
export function walk(steps: readonly Step[], end: number): Walked {
  const stepSeconds = Math.max(1, Math.ceil(end / mostSteps))
  const length = Math.max(1, Math.ceil(end / stepSeconds))
  const board = new Board()
  let part: Part | null = new Part(0, [])
  let drill: Part | null = null
  let drillEnd: PersonState[] = []
  const curve: Counts[] = []
  const changes: PlaceChange[] = []
  const closeSteps = (before: number) => {
    while (curve.length < before) {
      for (const [place, counts] of board.takeChanged())
        changes.push({ step: curve.length, place, counts: [...counts] })
      curve.push([...board.all])
    }
  }
  for (const step of steps) {
    closeSteps(Math.min(length - 1, Math.floor(step.at / stepSeconds)))
    if (step.kind === 'drill_over') {
      drill = part
      drillEnd = [...board.people.values()]
      part = null
    } else if (step.kind === 'live') part = new Part(step.at, board.people)
    else if (step.kind === 'floor') part?.floor(step, board.unaccountedAt(step.floor))
    else if (step.kind === 'person') {
      const was = board.unaccounted
      board.move(step)
      part?.person(step.person, step.at, step)
      if (part && was > 0) part.everyone = step.at
    }
  }
  closeSteps(length)
  return { stepSeconds, curve, changes, part: part ?? new Part(end, board.people), drill, drillEnd, end: board.people }
}

/** How everyone stands at one moment. */
class Board {
  readonly people = new Map<number, PersonState>()
  readonly all = none()
  readonly #places = new Map<string, Counts>()
  /** Unknown or in danger and not gone with their building, by place. */
  readonly #here = new Map<string, number>()
  #changed = new Set<string>()

  get unaccounted(): number {
    return this.all[1] + this.all[2]
  }
  unaccountedAt(place: string): number {
    return this.#here.get(place) ?? 0
  }

  move({ person, ...to }: PersonStep): void {
    const from = this.people.get(person)
    if (from) this.#count(from, -1)
    this.#count(to, 1)
    if (to.status === null) this.people.delete(person)
    else this.people.set(person, to)
  }

  #count({ status, place, left }: PersonState, by: 1 | -1): void {
    if (status === null) return
    const counts = this.#places.get(place) ?? none()
    this.#places.set(place, counts)
    counts[column[status]] += by
    this.all[column[status]] += by
    if (isUnaccounted(status) && !left) this.#here.set(place, this.unaccountedAt(place) + by)
    this.#changed.add(place)
  }

  takeChanged(): [string, Counts][] {
    const changed = [...this.#changed]
    this.#changed = new Set()
    return changed.map((place) => [place, this.#places.get(place) ?? none()])
  }
}
