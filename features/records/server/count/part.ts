import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { FloorStep, PersonState, PersonStep } from './histories.ts'

/** What happened to one person in the part. Times in seconds since the start. */
export interface PersonTold {
  /** Since when in danger. Null: not now. */
  danger: number | null
  /** Since when in danger and not recorded safe after it. */
  unsafe: number | null
  /** The longest times in danger, and from danger to safe. Null: never in danger. */
  longest: number | null
  safeAfter: number | null
  refused: boolean
  tookBack: boolean
  /** Since when safe. */
  safe: number | null
}

/** What happened to one floor in the part. */
export interface FloorTold {
  firstClear: number | null
  /** The last change into clear, while it stands. */
  clear: number | null
  clearRecorded: number | null
  reopened: number
  /** The most of its people who were unknown or in danger at a report of clear. */
  unseen: number
}

const newPerson = (): PersonTold => ({
  danger: null,
  unsafe: null,
  longest: null,
  safeAfter: null,
  refused: false,
  tookBack: false,
  safe: null,
})
const newFloor = (): FloorTold => ({
  firstClear: null,
  clear: null,
  clearRecorded: null,
  reopened: 0,
  unseen: 0,
})

export const isUnaccounted = (status: SafetyStatus | null) => status === 'unknown' || status === 'danger'

/** One part of an event: the drill, or what the figures count. Told of each step in the order of time. */
export class Part {
  readonly people = new Map<number, PersonTold>()
  readonly floors = new Map<string, FloorTold>()
  /** The last moment at which someone who was not accounted for changed: if no one is left, when the last was. */
  everyone: number | null = null

  constructor(at: number, present: Iterable<[number, PersonState]>) {
    for (const [person, state] of present) this.person(person, at, state)
  }

  person(
    person: number,
    at: number,
    { status, refused, agrees }: Pick<PersonStep, 'status' | 'refused' | 'agrees'>,
  ): void {
    if (status === null && !this.people.has(person)) return
    const told = this.people.get(person) ?? newPerson()
    this.people.set(person, told)
    if (status === 'danger') {
      told.danger ??= at
      told.unsafe ??= at
    } else this.#outOfDanger(told, at)
    if (status === 'safe') {
      told.safe ??= at
      if (told.unsafe !== null) told.safeAfter = Math.max(told.safeAfter ?? 0, at - told.unsafe)
      told.unsafe = null
    } else told.safe = null
    if (refused) told.refused = true
    if (agrees) told.tookBack = true
  }

  #outOfDanger(told: PersonTold, at: number): void {
    if (told.danger !== null) told.longest = Math.max(told.longest ?? 0, at - told.danger)
    told.danger = null
  }

  floor({ floor, at, how, isClear, recorded }: FloorStep, unseen: number): void {
    const told = (how !== 'anew' && this.floors.get(floor)) || newFloor()
    this.floors.set(floor, told)
    if (how === 'anew') return
    if (how === 'back') {
      told.clear = null
      told.clearRecorded = null
      return
    }
    if (isClear) {
      told.unseen = Math.max(told.unseen, unseen)
      told.firstClear ??= at
      if (told.clear !== null) return
      told.clear = at
      told.clearRecorded = recorded
    } else if (told.clear !== null) {
      told.reopened++
      told.clear = null
      told.clearRecorded = null
    }
  }
}
