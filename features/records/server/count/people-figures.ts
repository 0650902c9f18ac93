import type { BuildingUid } from '#kernel/ids.ts'
import type { SafetyStatus, StatusTotals } from '#kernel/vocabulary.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { Voice } from '../../doing.ts'
import type { Evacuee, FloorRow } from './facts.queries.ts'
import type { PersonState } from './histories.ts'
import type { PersonTold } from './part.ts'
import type { Walked } from './walk.ts'

/** Someone in the counts: as they stand at their end, and what happened to them. */
export interface Ended extends PersonState {
  status: SafetyStatus
  uid: string
  building: BuildingUid
  isPlanned: boolean
  told: PersonTold | undefined
}

/** Everyone who was to be accounted for and did not end as a warden, by name. */
export function endedPeople({ end, part }: Walked, people: readonly Evacuee[], floors: readonly FloorRow[]): Ended[] {
  const buildingOf = new Map(floors.map(({ floor, building }) => [floor as string, building]))
  return people.flatMap(({ person, isPlanned }, nth) => {
    const state = end.get(nth)
    if (!state || state.status === null) return []
    const { status, place, refused, left } = state
    const building = buildingOf.get(place) ?? (place as BuildingUid)
    return [{ status, place, refused, left, uid: person, building, isPlanned, told: part.people.get(nth) }]
  })
}

export function totalsOf(people: readonly { status: SafetyStatus | null }[]): StatusTotals {
  const totals = { safe: 0, unknown: 0, danger: 0, total: 0 }
  for (const { status } of people) {
    if (status === null) continue
    totals[status]++
    totals.total++
  }
  return totals
}

type Result = EventRecord['result']

/** The graver word wins. */
export function resultOf({ unknown, danger, total }: StatusTotals, voice: Voice): Result {
  const said = voice === 'leave' ? {} : { voice }
  if (total === 0) return { word: 'nobody', people: 0, ...said }
  if (danger > 0) return { word: 'danger', people: danger, ...said }
  return unknown > 0 ? { word: 'unaccounted', people: unknown, ...said } : { word: 'accounted', people: 0, ...said }
}

type Left = NonNullable<EventRecord['people']['left']>[number]

interface Sources {
  walked: Walked
  ended: readonly Ended[]
  /** When each of those who left did, in seconds. */
  leftAt: ReadonlyMap<string, number>
  buildings: readonly { uid: BuildingUid; name: string }[]
  /** The histories end in what the rows say. */
  isWhole: boolean
}

export function peopleFigures({ walked, ended, leftAt, buildings, isWhole }: Sources): EventRecord['people'] {
  const all = [...walked.part.people]
  const refusing = all.filter(([, { refused }]) => refused)
  const endsSafe = (nth: number) => walked.end.get(nth)?.status === 'safe'
  const once = all.filter(([nth, { longest }]) => longest !== null && endsSafe(nth)).map(([, told]) => told)
  const end = totalsOf(ended)
  return {
    end,
    refusals: refusing.length,
    agreed: refusing.filter(([nth, { tookBack }]) => tookBack || endsSafe(nth)).length,
    left: leftOf(ended, leftAt, buildings),
    once_danger: {
      people: once.length,
      longest: Math.max(0, ...once.map(({ longest }) => longest ?? 0)),
      safe_after: Math.max(0, ...once.map(({ safeAfter }) => safeAfter ?? 0)),
    },
    everyone_after: isWhole && end.total > 0 && end.unknown + end.danger === 0 ? walked.part.everyone : null,
    curve: isWhole ? { step_seconds: walked.stepSeconds, steps: walked.curve } : null,
  }
}

/** Those who left with a building, by the moment and the building. */
function leftOf(ended: readonly Ended[], leftAt: ReadonlyMap<string, number>, buildings: Sources['buildings']): Left[] {
  const gone = ended.filter(({ left }) => left)
  const order = new Map(buildings.map(({ uid }, nth) => [uid, nth]))
  return [...Map.groupBy(gone, ({ building, uid }) => `${leftAt.get(uid) ?? 0} ${building}`).values()]
    .flatMap((people): Left[] => {
      const [one] = people
      if (!one) return []
      const name = buildings.find(({ uid }) => uid === one.building)?.name ?? ''
      return [
        { building: one.building, building_name: name, after: leftAt.get(one.uid) ?? 0, people: totalsOf(people) },
      ]
    })
    .toSorted((a, b) => a.after - b.after || (order.get(a.building) ?? 0) - (order.get(b.building) ?? 0))
}

/** A record lists so many people with a plan. All of them count. */
const mostPlanned = 1000

/** People with a plan, by state and floor, and each of them without a name. */
export function planFigures(
  ended: readonly Ended[],
  floors: readonly FloorRow[],
  buildings: Sources['buildings'],
): Pick<EventRecord['plans'], 'end' | 'last_safe' | 'floors' | 'people'> {
  const places = [
    ...buildings.flatMap(({ uid, name }) => [
      ...floors
        .filter(({ building }) => building === uid)
        .map((row) => ({ id: row.floor as string, floor: row.floor, building: uid, place: `${name} - ${row.name}` })),
      { id: uid as string, floor: null, building: uid, place: name },
    ]),
  ]
  const planned = ended.filter(({ isPlanned }) => isPlanned)
  const by = Map.groupBy(planned, ({ place }) => place)
  const safeAfter = ({ status, told }: Ended) => (status === 'safe' ? (told?.safe ?? null) : null)
  const lastSafe = (people: readonly Ended[]) => {
    const times = people.flatMap((one) => safeAfter(one) ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }
  const there = places.flatMap(({ id, ...place }) => {
    const people = by.get(id)
    return people ? [{ ...place, people }] : []
  })
  return {
    end: totalsOf(planned),
    last_safe: lastSafe(planned),
    floors: there.map(({ people, ...place }) => ({ ...place, people: totalsOf(people), last_safe: lastSafe(people) })),
    people: there
      .flatMap(({ people, ...place }) =>
        people.map((one) => ({ ...place, status: one.status, safe_after: safeAfter(one) })),
      )
      .slice(0, mostPlanned),
  }
}
