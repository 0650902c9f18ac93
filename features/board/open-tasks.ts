import { groupOf } from '#kernel/actions.ts'
import type { Board, BoardCalls, BoardContradiction, BoardFloor, BoardPlaces } from './calls/board.ts'

/** What needs someone, the worst first. */
export const needKinds = [
  ...(['danger', 'call', 'command', 'contradiction', 'plan', 'gap_overdue', 'instruction'] as const),
  ...(['reach', 'message', 'gap'] as const),
] as const
export type NeedKind = (typeof needKinds)[number]

export interface Need {
  /** The same while the same thing needs someone, whatever its age and count. */
  key: string
  kind: NeedKind
  /** The place in `buildings` of the places. Null: of the whole event. */
  building: number | null
  /** The place in `floors` of the board. Null for a whole building, and for the event. */
  floor: number | null
  /** People, calls for help, messages, or floors without a warden. */
  count: number
  /** Since when it needs someone, of danger the newest. Seconds since the event began. */
  since: number
  /** When the floor was offered to a warden, who has not answered. */
  offered?: number
  contradiction?: BoardContradiction
  /** Of calls for help: the oldest one, and when the newest came. */
  calls?: BoardCalls
}

/** What the needs are of: a wall has them, too. */
type Told = Pick<
  Board,
  'event' | 'buildings' | 'floors' | 'calls' | 'contradictions' | 'command' | 'instruction' | 'reach'
>

/** A floor with its place in the board, its id, and whether it was searched. */
interface Seen {
  floor: BoardFloor
  nth: number
  id: string
  building: number
  isCleared: boolean
}

/** A message is a need when no one has answered for so long. */
const unansweredSeconds = 180
/** More gaps of one building are one entry. */
const mostGaps = 10
/** An instruction is a need when someone has not understood it for so long. */
const understoodSeconds = 60

/**
 * A pure function of the board. `now` is in seconds since the event began. Within a kind the oldest comes first,
 * of danger the newest; of equal ones more people come first, then the order of the places.
 */
export function needsOf(board: Told, places: BoardPlaces, now: number): Need[] {
  const seen = floorsOf(board, places)
  const open = seen.filter(({ floor }) => floor.gap !== undefined)
  const needs = [
    ...seen.flatMap((one) => peopleOf(one, now)),
    ...callsOf(board, seen),
    ...contradictionsOf(board, seen),
    ...ofEvent(board, now),
    ...places.buildings.flatMap((_, building) => gapsOf(board, places, building, open, now)),
  ]
  return needs.toSorted(
    (a, b) =>
      needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind) ||
      (a.kind === 'danger' ? b.since - a.since : a.since - b.since) ||
      b.count - a.count,
  )
}

function floorsOf({ floors }: Told, { buildings, statuses }: BoardPlaces): Seen[] {
  const named = buildings.flatMap((of, building) => of.floors.map(({ id }) => ({ id, building })))
  return floors.flatMap((floor, nth) => {
    const place = named[nth]
    const isCleared = floor.status !== undefined && statuses[floor.status]?.means_clear === true
    return place ? [{ ...place, floor, nth, isCleared }] : []
  })
}

function peopleOf({ floor, nth, id, building, isCleared }: Seen, now: number): Need[] {
  const { danger = 0, danger_at = 0, plans = 0, since = 0, unanswered = 0, unanswered_at = now } = floor
  const need = (kind: NeedKind, count: number, from: number): Need => {
    return { key: `${kind} ${id}`, kind, building, floor: nth, count, since: from }
  }
  return [
    danger > 0 && need('danger', danger, danger_at),
    plans > 0 && !isCleared && need('plan', plans, since),
    unanswered > 0 && now - unanswered_at >= unansweredSeconds && need('message', unanswered, unanswered_at),
  ].filter((one) => one !== false)
}

/** Command that is silent or vacant, an instruction that someone has not understood, and wardens who were not reached. */
function ofEvent({ command, instruction, reach }: Told, now: number): Need[] {
  const where = { building: null, floor: null }
  const since = command?.name === null ? command.since : command?.silent_since
  const left = instruction ? instruction.meant - instruction.understood : 0
  const isLate = instruction !== undefined && left > 0 && now - instruction.at >= understoodSeconds
  return [
    ...(command && since !== undefined
      ? [{ key: `command ${command.turn}`, kind: 'command' as const, ...where, count: 1, since }]
      : []),
    ...(isLate
      ? [
          {
            key: `instruction ${instruction.uid}`,
            kind: 'instruction' as const,
            ...where,
            count: left,
            since: instruction.at,
          },
        ]
      : []),
    ...(reach ? [{ key: 'reach', kind: 'reach' as const, ...where, count: reach.wardens, since: reach.since }] : []),
  ]
}

/** Calls for help of one place are one entry, with the whole event for those that named no place. */
function callsOf({ calls }: Told, seen: readonly Seen[]): Need[] {
  return calls.map((one) => {
    const place = one.floor === undefined ? undefined : seen[one.floor]
    const at = { building: place?.building ?? null, floor: place?.nth ?? null }
    return {
      key: `call ${place?.id ?? 'nowhere'}`,
      kind: 'call',
      ...at,
      count: one.count,
      since: one.first,
      calls: one,
    }
  })
}

function contradictionsOf({ contradictions }: Told, seen: readonly Seen[]): Need[] {
  return contradictions.flatMap((contradiction) => {
    const place = seen[contradiction.floor]
    if (!place) return []
    const { kind, subject, first, second = first } = contradiction
    const at = { building: place.building, floor: place.nth }
    return [
      {
        key: `${kind} ${subject ?? place.id}`,
        kind: 'contradiction' as const,
        ...at,
        count: 1,
        since: Math.max(first, second),
        contradiction,
      },
    ]
  })
}

/** A building that is covered whole is one gap. */
function gapsOf(board: Told, places: BoardPlaces, building: number, open: readonly Seen[], now: number): Need[] {
  const { gap, offered, action = 'evacuate', action_before = null } = board.buildings[building] ?? {}
  // where people hide no one is sent to another floor
  if (groupOf(action, action_before) === 'quiet') return []
  const id = places.buildings[building]?.id
  const overdue = (since: number) => now - since >= board.event.coverage_minutes * 60
  const kindOf = (since: number) => (overdue(since) ? ('gap_overdue' as const) : ('gap' as const))
  if (gap !== undefined) {
    const asked = offered !== undefined && { offered }
    return [{ key: `gap ${id}`, kind: kindOf(gap), building, floor: null, count: 1, since: gap, ...asked }]
  }
  const gaps = open.flatMap(({ floor: { gap: since, offered }, nth, id: floor, building: of }) => {
    if (of !== building || since === undefined) return []
    return [{ floor, nth, since, ...(offered !== undefined && { offered }) }]
  })
  if (gaps.length > mostGaps) {
    const since = Math.min(...gaps.map((one) => one.since))
    return [{ key: `gaps ${id}`, kind: kindOf(since), building, floor: null, count: gaps.length, since }]
  }
  return gaps.map(({ floor, nth, since, ...asked }) => {
    return { key: `gap ${floor}`, kind: kindOf(since), building, floor: nth, count: 1, since, ...asked }
  })
}
