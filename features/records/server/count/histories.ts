import { type Action, groupOf, statusActionOf } from '#kernel/actions.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Evacuee, Fact, FloorRow, StatusRow, Stay } from './facts.queries.ts'
import { actionOf, firstOf, formerActions } from './floors-of-actions.ts'
import type { Span } from './spans.ts'

/** From a moment on, in seconds since the start. `nth` is its entry in the journal, which orders equal moments. */
interface Timed {
  at: number
  nth: number
}

export interface PersonState {
  /** Null: in no count, not in the event yet or a warden of it. */
  status: SafetyStatus | null
  /** A floor, or a building for someone without a floor. */
  place: string
  refused: boolean
  /** With the building that left the event. */
  left: boolean
}
export interface PersonStep extends Timed, PersonState {
  kind: 'person'
  person: number
  /** They no longer refuse, as someone recorded. */
  agrees?: true
}
export interface FloorStep extends Timed {
  kind: 'floor'
  floor: string
  status: string
  /** Set: by someone. Back: to the first status, with all others. Anew: the same, and no earlier report counts. */
  how: 'set' | 'back' | 'anew'
  isClear: boolean
  recorded: number
}
/** The drill is over; after the steps that set all back, it is live. */
interface TurnStep extends Timed {
  kind: 'drill_over' | 'live'
}
export type Step = PersonStep | FloorStep | TurnStep

/** What was recorded at a place: a status of it, or of a person there. */
export interface Act {
  at: number
  recorded: number
  floor: string
  /** Null: no warden did, but a person about themselves. */
  signIn: string | null
  /** The beginning of its part. */
  from: number
}

export interface Ground {
  people: readonly Evacuee[]
  floors: readonly FloorRow[]
  statuses: readonly StatusRow[]
  /** What the status meant when it was set. */
  meansClear: (status: string, at: Pick<Fact, 'xid' | 'position'>) => boolean
}

/** The history of each person and floor, in the order of the journal and with the moments at which things count. */
export class Histories {
  readonly acts: Act[] = []
  /** When each building was in the event. The last one is open while `to` is infinite. */
  readonly presence = new Map<string, Span[]>()
  /** Whose floor statuses were offered in the event. Null: those of people who leave. */
  readonly offered = new Set<Action | null>()
  readonly #ground: Ground
  readonly #steps: Step[] = []
  readonly #ofRelease: ReadonlySet<string>
  readonly #buildingOf: ReadonlyMap<string, string>
  readonly #at: ReadonlyMap<string, number>
  readonly #persons: (PersonState & { last: number; stays: readonly Stay[]; next: number })[]
  readonly #floorsLast = new Map<string, number>()
  /** What floors of a building begin with, by what people do there. */
  readonly #firsts = new Map<string, string>()
  readonly #boundaries: ReturnType<typeof boundariesOf>
  #from = 0
  #nth = -1

  constructor(ground: Ground) {
    const { people, floors, statuses } = ground
    this.#ground = ground
    this.#ofRelease = new Set(statuses.filter(({ action }) => action === 'release').map(({ uid }) => uid))
    this.#buildingOf = new Map(floors.map(({ floor, building }) => [floor as string, building as string]))
    this.#at = new Map(people.map(({ person }, nth) => [person as string, nth]))
    this.#persons = people.map(({ stays }) => ({ ...nowhere, last: 0, stays, next: 0 }))
    this.#boundaries = boundariesOf(people)
  }

  take(fact: Fact): void {
    this.#nth++
    this.#handlers[fact.action]?.(fact)
  }

  /** All steps in the order of time, and whether the histories end in what the rows of people say. */
  finish(end: number): { steps: Step[]; isWhole: boolean } {
    this.#nth++
    let isWhole = true
    for (const [person, { status, place, refused }] of this.#ground.people.entries()) {
      const one = this.#persons[person]
      while (one && one.next < one.stays.length * 2 && hasPassed(one.stays, one.next)) {
        this.#pass(person, end)
        isWhole = false
      }
      if (!one || one.status === null) continue
      if (one.status === status && one.place === place && one.refused === refused) continue
      isWhole = false
      this.#move(person, end, { status, place, refused })
    }
    for (const step of this.#steps) step.at = Math.min(step.at, end)
    return { steps: this.#steps.toSorted((a, b) => a.at - b.at || a.nth - b.nth), isWhole }
  }

  readonly #handlers: Readonly<Record<string, (fact: Fact) => void>> = {
    event_started: (fact) => this.#join(fact),
    buildings_added: (fact) => this.#join(fact),
    buildings_removed: (fact) => this.#leave(fact),
    drill_made_live: (fact) => this.#makeLive(fact),
    action_changed: (fact) => this.#changeAction(fact),
    assignment_changed: ({ recorded }) => this.#passAt(recorded),
    assignment_ended: ({ recorded }) => this.#passAt(recorded),
    evacuee_status_set: (fact) => this.#setPerson(fact),
    evacuee_refusal_set: (fact) => this.#setPerson(fact),
    floor_status_set: (fact) => this.#setFloor(fact),
  }

  #isPresent = (building: string) => this.presence.get(building)?.at(-1)?.to === Number.POSITIVE_INFINITY

  #move(person: number, moment: number, change: Partial<PersonState>, agrees = false): void {
    const one = this.#persons[person]
    if (!one) return
    one.last = Math.max(this.#from, one.last, moment)
    Object.assign(one, change)
    const { status, place, refused, left } = one
    const state = { status, place, refused, left, ...(agrees && { agrees }) }
    this.#steps.push({ kind: 'person', at: one.last, nth: this.#nth, person, ...state })
  }

  /** The next of a person's joinings and leavings. */
  #pass(person: number, moment: number): void {
    const one = this.#persons[person]
    const stay = one?.stays[one.next >> 1]
    if (!one || !stay) return
    const isJoin = one.next++ % 2 === 0
    if (isJoin) this.#move(person, moment, { status: 'unknown', place: stay.home, refused: false, left: false })
    else this.#move(person, moment, stay.left ? { left: true } : { status: null, refused: false })
  }

  #passAt(time: number): void {
    for (const { person, order } of this.#boundaries.get(time) ?? [])
      if (this.#persons[person]?.next === order) this.#pass(person, time)
  }

  /** Rows of an older version do not say when people joined: with their building. */
  #passUntold({ recorded }: Fact, of: (stay: Stay, person: string) => boolean): void {
    for (const [person, one] of this.#persons.entries()) {
      const stay = one.stays[one.next >> 1]
      const uid = this.#ground.people[person]?.person ?? ''
      if (stay && one.next % 2 === 0 && stay.joined === null && of(stay, uid)) this.#pass(person, recorded)
    }
  }

  #setBack({ floor, building }: FloorRow, moment: number, how: FloorStep['how'] = 'back'): void {
    const at = Math.max(this.#from, this.#floorsLast.get(floor) ?? 0, moment)
    this.#floorsLast.set(floor, at)
    const told = { status: this.#firsts.get(building) ?? '', how, isClear: false, recorded: moment }
    this.#steps.push({ kind: 'floor', at, nth: this.#nth, floor, ...told })
  }

  /** All floors begin with the first status of what people do there now. */
  #begin(buildings: readonly string[], { recorded, after }: Fact, how: FloorStep['how'] = 'back'): void {
    const offered = statusActionOf(actionOf(after))
    this.offered.add(offered)
    const first = firstOf(this.#ground.statuses, offered)
    for (const building of buildings) this.#firsts.set(building, first)
    for (const row of this.#ground.floors) if (buildings.includes(row.building)) this.#setBack(row, recorded, how)
  }

  #join(fact: Fact): void {
    const added = textsOf(fact.after?.buildings)
    for (const building of added) {
      const span = { from: fact.recorded, to: Number.POSITIVE_INFINITY }
      this.presence.set(building, [...(this.presence.get(building) ?? []), span])
    }
    this.#begin(added, fact)
    this.#passAt(fact.recorded)
    this.#passUntold(fact, ({ homeBuilding }) => added.includes(homeBuilding))
  }

  #leave(fact: Fact): void {
    const gone = textsOf(fact.after?.buildings)
    for (const building of gone) {
      const last = this.presence.get(building)?.at(-1)
      if (last) last.to = fact.recorded
    }
    this.#passAt(fact.recorded)
    for (const [person, { status, left, place, stays, next }] of this.#persons.entries()) {
      const stay = stays[next >> 1]
      if (status === null || left || !stay || !gone.includes(this.#buildingOf.get(place) ?? place)) continue
      // someone of a building that remains returns to their own floor
      if (this.#isPresent(stay.homeBuilding)) this.#move(person, fact.recorded, { place: stay.home })
      else if (stay.removed !== null) this.#pass(person, fact.recorded)
    }
  }

  #makeLive({ recorded }: Fact): void {
    this.#steps.push({ kind: 'drill_over', at: recorded, nth: this.#nth })
    this.#from = recorded
    for (const [person, { status, left }] of this.#persons.entries())
      if (left) this.#move(person, recorded, { status: null, left: false, refused: false })
      else if (status !== null) this.#move(person, recorded, { status: 'unknown', refused: false })
    for (const row of this.#ground.floors) this.#setBack(row, recorded)
    this.#steps.push({ kind: 'live', at: recorded, nth: this.#nth })
  }

  /** Floors and people who are counted again begin anew with what people do now. A release is no search: what was done before stands. */
  #changeAction(fact: Fact): void {
    const { recorded, before, after } = fact
    const action = actionOf(after)
    if (action === 'release') return
    const buildings = textsOf(after?.buildings)
    const leaves = (one: Action) => groupOf(one) === 'leave'
    const turns = formerActions(before).some((was) => leaves(was) !== leaves(action))
    this.#begin(buildings, fact, 'anew')
    for (const [person, { status, left, place, refused }] of this.#persons.entries()) {
      const building = this.#buildingOf.get(place) ?? place
      if (status === null || left || !buildings.includes(building)) continue
      if (after?.again === true && status === 'safe') this.#move(person, recorded, { status: 'unknown' })
      if (turns && refused) this.#move(person, recorded, { refused: false })
    }
  }

  #setPerson(fact: Fact): void {
    const person = this.#at.get(fact.subject)
    if (person === undefined) return
    const one = this.#persons[person]
    if (fact.joins) {
      this.#passAt(fact.recorded)
      this.#passUntold(fact, (_, uid) => uid === fact.subject)
      return
    }
    if (!one || !fact.takesEffect || one.status === null || one.left) return
    if (fact.action === 'evacuee_refusal_set')
      this.#move(person, momentOf(fact), { refused: fact.refused === true }, fact.refused === false)
    else
      this.#move(person, momentOf(fact), {
        ...(fact.status && { status: fact.status }),
        ...(fact.place && !fact.stays && { place: fact.place }),
      })
    this.#act(fact, fact.place, one.last)
  }

  #setFloor(fact: Fact): void {
    if (!fact.takesEffect) return
    const moment = Math.max(this.#from, this.#floorsLast.get(fact.subject) ?? 0, momentOf(fact))
    this.#act(fact, fact.subject, moment)
    const status = fact.floorStatus ?? ''
    if (this.#ofRelease.has(status)) return
    const { subject: floor, recorded } = fact
    this.#floorsLast.set(floor, moment)
    const isClear = this.#ground.meansClear(status, fact)
    this.#steps.push({ kind: 'floor', at: moment, nth: this.#nth, floor, status, how: 'set', isClear, recorded })
  }

  #act({ actor, recorded }: Fact, floor: string | null, moment: number): void {
    if (floor && this.#buildingOf.has(floor))
      this.acts.push({ at: moment, recorded, floor, signIn: actor, from: this.#from })
  }
}

/** The time seen, or else recorded. Never after the time recorded. */
const momentOf = ({ seen, recorded }: Fact) => Math.min(seen ?? recorded, recorded)

const nowhere: PersonState = { status: null, place: '', refused: false, left: false }

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** True if the joining or leaving of this order has happened. */
const hasPassed = (stays: readonly Stay[], order: number) =>
  order % 2 === 0 || stays[order >> 1]?.removed !== null || false

/** Who joins and leaves when, by the time of the entry. `order` counts the joinings and leavings of a person. */
function boundariesOf(people: readonly Evacuee[]): Map<number, { person: number; order: number }[]> {
  const all = people.flatMap(({ stays }, person) =>
    stays.flatMap(({ joined, removed }, nth) => [
      { person, order: nth * 2, time: joined },
      { person, order: nth * 2 + 1, time: removed },
    ]),
  )
  const told = all.filter((one): one is (typeof all)[number] & { time: number } => one.time !== null)
  return Map.groupBy(told, ({ time }) => time)
}
