import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Evacuee, Fact, FloorRow, StatusRow, Stay } from './facts.queries.ts'
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
  /** Set: by someone. Back: to the first status, with all others. */
  how: 'set' | 'back'
  isClear: boolean
  recorded: number
}
/** The drill is over; after the steps that set all back, it is live. */
interface DrillOver extends Timed {
  kind: 'drill_over'
}
interface Live extends Timed {
  kind: 'live'
}
export type Step = PersonStep | FloorStep | DrillOver | Live

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
export type Histories = ReturnType<typeof openHistories>

export function openHistories({ people, floors, statuses, meansClear }: Ground) {
  const steps: Step[] = []
  const acts: Act[] = []
  /** When each building was in the event. The last one is open while `to` is infinite. */
  const presence = new Map<string, Span[]>()
  const first = statuses.find(({ isFirst }) => isFirst)?.uid ?? ''
  const buildingOf = new Map(floors.map(({ floor, building }) => [floor as string, building as string]))
  const at = new Map(people.map(({ person }, nth) => [person as string, nth]))
  const persons = people.map(({ stays }) => ({ ...nowhere, last: 0, stays, next: 0 }))
  const floorsLast = new Map<string, number>()
  const boundaries = boundariesOf(people)
  let from = 0
  let nth = -1

  const isPresent = (building: string) => presence.get(building)?.at(-1)?.to === Number.POSITIVE_INFINITY
  const placeOf = (place: string) => buildingOf.get(place) ?? place

  function move(person: number, moment: number, change: Partial<PersonState>, agrees = false) {
    const one = persons[person]
    if (!one) return
    one.last = Math.max(from, one.last, moment)
    Object.assign(one, change)
    const { status, place, refused, left } = one
    const state = { status, place, refused, left, ...(agrees && { agrees }) }
    steps.push({ kind: 'person', at: one.last, nth, person, ...state })
  }
  /** The next of a person's joinings and leavings. */
  function pass(person: number, moment: number) {
    const one = persons[person]
    const stay = one?.stays[one.next >> 1]
    if (!one || !stay) return
    const isJoin = one.next++ % 2 === 0
    if (isJoin) move(person, moment, { status: 'unknown', place: stay.home, refused: false, left: false })
    else move(person, moment, stay.left ? { left: true } : { status: null, refused: false })
  }
  const passAt = (time: number) => {
    for (const { person, order } of boundaries.get(time) ?? []) if (persons[person]?.next === order) pass(person, time)
  }
  /** Rows of an older version do not say when people joined: with their building. */
  const passUntold = (fact: Fact, of: (stay: Stay, person: string) => boolean) => {
    for (const [person, one] of persons.entries()) {
      const stay = one.stays[one.next >> 1]
      if (stay && one.next % 2 === 0 && stay.joined === null && of(stay, people[person]?.person ?? ''))
        pass(person, fact.recorded)
    }
  }

  const setBack = (floor: string, moment: number) => {
    floorsLast.set(floor, Math.max(from, floorsLast.get(floor) ?? 0, moment))
    const told = { status: first, how: 'back', isClear: false, recorded: moment } as const
    steps.push({ kind: 'floor', at: floorsLast.get(floor) ?? moment, nth, floor, ...told })
  }

  function join(fact: Fact) {
    const added = textsOf(fact.after?.buildings)
    for (const building of added)
      presence.set(building, [...(presence.get(building) ?? []), { from: fact.recorded, to: Number.POSITIVE_INFINITY }])
    for (const { floor, building } of floors) if (added.includes(building)) setBack(floor, fact.recorded)
    passAt(fact.recorded)
    passUntold(fact, ({ homeBuilding }) => added.includes(homeBuilding))
  }

  function leave(fact: Fact) {
    const gone = textsOf(fact.after?.buildings)
    for (const building of gone) {
      const last = presence.get(building)?.at(-1)
      if (last) last.to = fact.recorded
    }
    passAt(fact.recorded)
    for (const [person, { status, left, place, stays, next }] of persons.entries()) {
      const stay = stays[next >> 1]
      if (status === null || left || !stay || !gone.includes(placeOf(place))) continue
      // someone of a building that remains returns to their own floor
      if (isPresent(stay.homeBuilding)) move(person, fact.recorded, { place: stay.home })
      else if (stay.removed !== null) pass(person, fact.recorded)
    }
  }

  function makeLive(fact: Fact) {
    steps.push({ kind: 'drill_over', at: fact.recorded, nth })
    from = fact.recorded
    for (const [person, { status, left }] of persons.entries())
      if (left) move(person, from, { status: null, left: false, refused: false })
      else if (status !== null) move(person, from, { status: 'unknown', refused: false })
    for (const { floor } of floors) setBack(floor, from)
    steps.push({ kind: 'live', at: from, nth })
  }

  /** The time seen, or else recorded. Never after the time recorded. */
  const momentOf = ({ seen, recorded }: Fact) => Math.min(seen ?? recorded, recorded)

  function setPerson(fact: Fact) {
    const person = at.get(fact.subject)
    if (person === undefined) return
    const one = persons[person]
    if (fact.joins) {
      passAt(fact.recorded)
      passUntold(fact, (_, uid) => uid === fact.subject)
      return
    }
    if (!one || !fact.takesEffect || one.status === null || one.left) return
    if (fact.action === 'evacuee_refusal_set')
      move(person, momentOf(fact), { refused: fact.refused === true }, fact.refused === false)
    else
      move(person, momentOf(fact), {
        ...(fact.status && { status: fact.status }),
        ...(fact.place && !fact.stays && { place: fact.place }),
      })
    act(fact, fact.place, one.last)
  }

  function setFloor(fact: Fact) {
    if (!fact.takesEffect) return
    const moment = Math.max(from, floorsLast.get(fact.subject) ?? 0, momentOf(fact))
    floorsLast.set(fact.subject, moment)
    const status = fact.floorStatus ?? first
    steps.push({
      ...({ kind: 'floor', at: moment, nth, floor: fact.subject, status, how: 'set' } as const),
      isClear: meansClear(status, fact),
      recorded: fact.recorded,
    })
    act(fact, fact.subject, moment)
  }

  const act = ({ actor, recorded }: Fact, floor: string | null, moment: number) => {
    if (floor && buildingOf.has(floor)) acts.push({ at: moment, recorded, floor, signIn: actor, from })
  }

  const handlers: Record<string, (fact: Fact) => void> = {
    event_started: join,
    buildings_added: join,
    buildings_removed: leave,
    drill_made_live: makeLive,
    assignment_changed: ({ recorded }) => passAt(recorded),
    assignment_ended: ({ recorded }) => passAt(recorded),
    evacuee_status_set: setPerson,
    evacuee_refusal_set: setPerson,
    floor_status_set: setFloor,
  }

  return {
    take(fact: Fact) {
      nth++
      handlers[fact.action]?.(fact)
    },
    /** All steps in the order of time, and whether the histories end in what the rows of people say. */
    finish(end: number): { steps: Step[]; isWhole: boolean } {
      nth++
      let isWhole = true
      for (const [person, { status, place, refused }] of people.entries()) {
        const one = persons[person]
        while (one && one.next < one.stays.length * 2 && hasPassed(one.stays, one.next)) {
          pass(person, end)
          isWhole = false
        }
        if (!one || one.status === null) continue
        if (one.status === status && one.place === place && one.refused === refused) continue
        isWhole = false
        move(person, end, { status, place, refused })
      }
      for (const step of steps) step.at = Math.min(step.at, end)
      return { steps: steps.toSorted((a, b) => a.at - b.at || a.nth - b.nth), isWhole }
    },
    acts,
    presence,
  }
}

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
