import { createHash } from 'node:crypto'
import type { listContradictions } from '#features/accounting/server/contradictions.queries.ts'
import type { ForBoard } from '#features/command/server/command-summary.ts'
import type { countNotReached } from '#features/reach/server/who-has-answered.queries.ts'
import type { CallsOfPlace } from '#features/self-report/server/calls-for-help.queries.ts'
import type { EventUid } from '#kernel/ids.ts'
import { eachStatus, recordOf, withTotal } from '#kernel/vocabulary.ts'
import { presentAction } from '#server/wardens/building-action.ts'
import type { Board, BoardCalls, BoardContradiction, BoardFloor, BoardPlaces, BoardTotals } from '../calls/board.ts'
import { type UnknownCause, unknownCauses } from '../kinds.ts'
import type { BoardRow, PlaceRow, SlowPart, SlowPlace } from './board.queries.ts'

type Status = BoardRow['statuses'][number]
/** Zero and nothing are left out of an answer. */
const some = <T>(value: T | null | undefined) => value || undefined
const given = <T>(value: T | null | undefined) => value ?? undefined

export interface FastPart extends BoardRow {
  contradictions: Awaited<ReturnType<typeof listContradictions>>
  calls: readonly CallsOfPlace[]
  command: ForBoard
  notReached: Awaited<ReturnType<typeof countNotReached>>
}

/** The board and the places in whose order its floors are. */
export function presentBoard(eventUid: EventUid, row: FastPart, slow: SlowPart) {
  const places = presentPlaces(row)
  const { toldAt: _, ...told } = row.command
  const secondsOf = secondsSince(row.beganAt)
  const board: Board = {
    ...{
      at: row.at.toISOString(),
      slow_at: earlier(slow.at, row.at).toISOString(),
      horizon: row.horizon,
      places: places.version,
    },
    event: {
      id: eventUid,
      type: row.type,
      kind: row.kind,
      site: { id: row.siteUid, name: row.siteName, timezone: row.timezone },
      began_at: row.beganAt.toISOString(),
      coverage_minutes: row.coverageMinutes,
    },
    ...told,
    ...(row.notReached.since && { reach: { wardens: row.notReached.wardens, since: secondsOf(row.notReached.since) } }),
    totals: presentTotals(row, slow, secondsOf),
    buildings: row.buildings.map((building) => ({
      whole: isTrue(building.whole),
      ...presentCover(building),
      ...presentAction({ ...building, from: new Date(building.from) }),
    })),
    floors: presentFloors(row, slow, secondsOf),
    calls: presentCalls(row, secondsOf),
    ...presentContradictions(row, secondsOf),
  }
  return { board, places }
}

type SecondsOf = (at: Date) => number
/** Whole seconds of the event. */
export const secondsSince =
  (began: Date): SecondsOf =>
  (at) =>
    Math.floor((at.getTime() - began.getTime()) / 1000)

function presentFloors(
  { places, statuses, contradictions, command }: FastPart,
  slow: SlowPart,
  secondsOf: SecondsOf,
): BoardFloor[] {
  const indexOf = new Map(statuses.map(({ uid }, index) => [uid, index]))
  const contradicted = Map.groupBy(contradictions, ({ placeUid }) => placeUid)
  return places.map((place) => ({
    ...(place.statusUid && { status: indexOf.get(place.statusUid) }),
    since: given(place.since),
    by: given(place.by),
    ...{
      safe: some(place.safe),
      unknown: some(place.unknown),
      danger: some(place.danger),
      refused: some(place.refused),
    },
    danger_at: given(place.dangerAt),
    ...presentCover(place),
    contradictions: contradicted.get(place.uid)?.length,
    ...presentSlow(slow.places.get(place.uid), secondsOf),
    told: command.toldAt(place.uid),
  }))
}

const presentSlow = (place: SlowPlace | undefined, secondsOf: SecondsOf): Partial<BoardFloor> =>
  place
    ? {
        plans: some(place.plans),
        unanswered: some(place.unanswered),
        text_failed: some(place.textFailed),
        unanswered_at: place.unansweredAt ? secondsOf(place.unansweredAt) : undefined,
      }
    : {}

/** Both parts are read beside each other: the slow one may be of a moment after. */
const earlier = (one: Date, other: Date) => (one < other ? one : other)

/** The most that a board lists. */
const mostContradictions = 200
const mostCalls = 200

/** One for each place. A place that has left the event is none. */
function presentCalls({ places, calls }: FastPart, secondsOf: SecondsOf): BoardCalls[] {
  const indexOf = new Map<string, number>(places.map(({ uid }, index) => [uid, index]))
  const byPlace = Map.groupBy(calls, (of) => indexOf.get(of.placeUid ?? '') ?? indexOf.get(of.buildingUid ?? ''))
  return [...byPlace].slice(0, mostCalls).flatMap(([floor, [oldest, ...more]]) => {
    if (!oldest) return []
    const all = [oldest, ...more]
    const newest = Math.max(...all.map((one) => secondsOf(one.newest)))
    const inDrill = some(sumOf(all, (one) => one.inDrill))
    const count = sumOf(all, (one) => one.count)
    return [{ uid: oldest.uid, floor, count, in_drill: inDrill, first: secondsOf(oldest.first), newest }]
  })
}

function presentContradictions({ places, contradictions }: FastPart, secondsOf: SecondsOf) {
  const indexOf = new Map(places.map(({ uid }, index) => [uid, index]))
  const all = contradictions.flatMap(({ kind, subject, placeUid, first, second }): BoardContradiction[] => {
    const floor = indexOf.get(placeUid)
    if (floor === undefined) return []
    // a uid does not compress: 200 of them were a quarter of the answer
    const of = subject === placeUid ? {} : { subject }
    return [{ kind, ...of, floor, first: secondsOf(first), ...(second && { second: secondsOf(second) }) }]
  })
  return { contradictions: all.slice(0, mostContradictions), more: all.length > mostContradictions }
}

const isTrue = (value: boolean) => (value ? (true as const) : undefined)

const presentCover = ({ wardens, gap, claimed, offered }: PlaceRow | BoardRow['buildings'][number]) => ({
  wardens: some(wardens),
  gap: given(gap),
  claimed: isTrue(claimed),
  offered: given(offered),
})

const sumOf = <T>(all: readonly T[], count: (one: T) => number) => all.reduce((sum, one) => sum + count(one), 0)

function presentTotals(row: FastPart, slow: SlowPart, secondsOf: SecondsOf): BoardTotals {
  const { places, calls } = row
  const people = withTotal(eachStatus((status) => sumOf(places, (place) => place[status])))
  const statusOf = new Map(row.statuses.map((status) => [status.uid, status]))
  const isCleared = ({ statusUid }: PlaceRow) => (statusUid ? statusOf.get(statusUid)?.meansClear === true : false)
  const unknownCleared = sumOf(places.filter(isCleared), ({ unknown }) => unknown)
  // places that have left the event since the slow part was read
  const here = new Set(places.map(({ uid }) => uid))
  const slowPlaces = [...slow.places].flatMap(([uid, place]) => (here.has(uid) ? [place] : []))
  const oldest = slowPlaces.flatMap(({ unansweredAt }) => (unansweredAt ? [secondsOf(unansweredAt)] : []))
  return {
    people,
    calls: sumOf(calls, ({ count }) => count),
    danger_floors: places.filter(({ danger }) => danger > 0).length,
    unknown_by_place: { not_cleared: people.unknown - unknownCleared, cleared: unknownCleared },
    unknown_by_cause: splitByCause(people.unknown, sumCauses(slowPlaces.map(({ causes }) => causes))),
    own_word: Math.min(
      people.safe,
      sumOf(slowPlaces, ({ ownWord }) => ownWord),
    ),
    floors: countFloors(places.flatMap(({ statusUid }) => (statusUid ? [statusOf.get(statusUid)] : []))),
    plans: sumOf(slowPlaces, ({ plans }) => plans),
    no_warden: [...row.buildings, ...places].filter(({ gap }) => gap !== null).length,
    unanswered: sumOf(slowPlaces, ({ unanswered }) => unanswered),
    ...(oldest.length > 0 && { unanswered_at: Math.min(...oldest) }),
    refused: sumOf(places, ({ refused }) => refused),
    refused_floors: places.filter(({ refused }) => refused > 0).length,
  }
}

/** Cleared, else not begun, else a red status, else under way. */
function countFloors(statuses: readonly (Status | undefined)[]): BoardTotals['floors'] {
  const counts = { total: statuses.length, cleared: 0, under_way: 0, help: 0, not_begun: 0 }
  for (const status of statuses) counts[stageOf(status)]++
  return counts
}

function stageOf(status: Status | undefined) {
  if (status?.meansClear) return 'cleared'
  if (status?.isFirst) return 'not_begun'
  return status?.colour === 'red' ? 'help' : 'under_way'
}

/** Buildings and floors in the order of the board, with a version that changes with any of them. */
function presentPlaces({ buildings, places, statuses }: BoardRow): BoardPlaces {
  const floorsOf = Map.groupBy(places, ({ buildingUid }) => buildingUid)
  const shown = {
    statuses: statuses.map(({ name, colour, meansClear, isFirst }) => ({
      name,
      colour,
      means_clear: meansClear,
      is_first: isFirst,
    })),
    buildings: buildings.map(({ uid, name }) => ({
      id: uid,
      name,
      floors: (floorsOf.get(uid) ?? []).map((floor) => ({
        id: floor.uid,
        name: floor.name ?? 'No floor',
        level: floor.level,
      })),
    })),
  }
  return { version: versionOf(shown), ...shown }
}

/** Equal for equal content, on whatever node. */
export const versionOf = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)

/**
 * Causes are up to 10 s older than the number of unknown people. They never say more than it, and 'not asked' is what
 * they leave.
 */
export function splitByCause(
  unknown: number,
  counted: Partial<Record<UnknownCause, number>>,
): Record<UnknownCause, number> {
  let left = unknown
  return recordOf(unknownCauses, (cause) => {
    const count = cause === 'not_asked' ? left : Math.min(left, counted[cause] ?? 0)
    left -= count
    return count
  })
}

/** The sum of the causes of several places. */
function sumCauses(all: Iterable<Partial<Record<UnknownCause, number>>>): Record<UnknownCause, number> {
  const sums = recordOf(unknownCauses, () => 0)
  for (const causes of all) for (const cause of unknownCauses) sums[cause] += causes[cause] ?? 0
  return sums
}
