import type {
  AssignmentUid,
  BuildingUid,
  EventUid,
  FloorUid,
  PersonUid,
  SelfReportUid,
  SignInUid,
  SiteUid,
} from '#kernel/ids.ts'
import type { Board, BoardCalls, BoardContradiction, BoardFloor, BoardPlaces } from '../calls/board.ts'
import type { BoardPanel } from '../calls/board-panel.ts'

/** By which the boards of tests tell the time, unless the site is elsewhere. */
export const deviceZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

const idOf = (kind: string, n: number) => `00000000-0000-4000-8000-${kind}${String(n).padStart(11, '0')}`
export const floorId = (nth: number) => idOf('f', nth) as FloorUid
const buildingId = (nth: number) => idOf('b', nth) as BuildingUid
/** The 24th minute. */
const now = 23 * 60 + 41

interface Made {
  buildings?: number
  floors?: number
  /** The moment of the answer. */
  at?: Date
  names?: readonly string[]
  /** The same size, the same numbers. */
  seed?: number
}

/** Numbers that look random and are the same each time. */
function dice(seed: number) {
  let last = seed
  return () => {
    last = (last * 16807) % 2147483647
    return last / 2147483647
  }
}

const statuses: BoardPlaces['statuses'] = [
  { name: 'Not Started', colour: 'grey', means_clear: false, is_first: true },
  { name: 'Evacuating', colour: 'yellow', means_clear: false, is_first: false },
  { name: 'Evacuated', colour: 'green', means_clear: true, is_first: false },
  { name: 'Assistance Required', colour: 'red', means_clear: false, is_first: false },
]

/** A fire in its 24th minute: a board with its places, of any size. */
export function makeBoard({ buildings = 3, floors = 40, at = new Date(), names, seed = 7 }: Made = {}) {
  const roll = dice(seed)
  const places: BoardPlaces = {
    version: `${buildings}x${floors}`,
    statuses,
    buildings: Array.from({ length: buildings }, (_, b) => ({
      id: buildingId(b),
      name: names?.[b] ?? (buildings > 3 ? `Block ${b + 1}` : (['Tower A', 'Tower B', 'Harbour House'][b] ?? '')),
      floors: Array.from({ length: floors }, (_, f) => {
        const level = floors - 1 - f
        return { id: floorId(b * floors + f), name: level === 0 ? 'Ground' : `Level ${level}`, level }
      }),
    })),
  }
  const rows = places.buildings.flatMap(({ floors: of }, b) => of.map(({ level }) => makeFloor(b, level ?? 0, roll)))
  return { board: makeAnswer(places, rows, at), places }
}

function makeFloor(building: number, level: number, roll: () => number): BoardFloor {
  const isFire = building === 0 && level === 27
  const wave = building === 0 ? level > 20 : building % 3 === 1 ? level > 12 : level > 31
  const status = isFire ? 3 : wave ? (roll() < 0.8 ? 2 : 1) : building % 3 === 2 ? 0 : roll() < 0.5 ? 2 : 1
  const total = Math.round(18 + roll() * 30)
  const unknown = status === 2 ? (roll() < 0.62 ? 0 : Math.round(roll() * 3)) : Math.round(total * (0.2 + roll() * 0.4))
  const danger = isFire ? 2 : building === 0 && level === 12 ? 1 : 0
  const hasGap = roll() < 0.06
  const some = (chance: number, most = 1) => (roll() < chance ? 1 + Math.floor(roll() * most) : 0)
  const all = {
    safe: total - unknown,
    unknown,
    danger,
    refused: some(0.02),
    wardens: hasGap ? 0 : 1 + some(0.3),
    plans: status === 2 ? 0 : some(0.1, 2),
    unanswered: some(0.07, 2),
    text_failed: some(0.06, 3),
    contradictions: building === 0 && level === 12 ? 1 : 0,
  }
  const counts = Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0))
  const by = roll()
  return {
    status: building === 0 && level === 12 ? 2 : status,
    ...counts,
    ...(status !== 0 && { since: now - Math.round(roll() * 14 * 60) }),
    ...(status !== 0 && by > 0.9 && { by: by > 0.95 ? ('m' as const) : ('b' as const) }),
    ...(danger > 0 && { danger_at: now - (isFire ? 70 : 200) }),
    ...(hasGap && { gap: now - Math.round(roll() * 600), ...(roll() < 0.3 && { offered: now - 40 }) }),
    ...(all.unanswered > 0 && { unanswered_at: now - Math.round(roll() * 400) }),
  }
}

const sum = (floors: readonly BoardFloor[], of: (floor: BoardFloor) => number | undefined) =>
  floors.reduce((total, floor) => total + (of(floor) ?? 0), 0)

/** Calls for help from a floor by its place, or from nowhere. `newest` in seconds. */
export const someCalls = (floor: number | undefined, count = 1, newest = now - 60): BoardCalls => ({
  uid: idOf('7', floor ?? 999) as SelfReportUid,
  ...(floor !== undefined && { floor }),
  count,
  first: newest - (count > 1 ? 60 : 0),
  newest,
})

/** The totals of these rows, as the server adds them up. */
export function makeAnswer(
  places: BoardPlaces,
  floors: BoardFloor[],
  at = new Date(),
  calls: readonly BoardCalls[] = [],
): Board {
  const statusOf = ({ status }: BoardFloor) => (status === undefined ? undefined : places.statuses[status])
  const isCleared = (floor: BoardFloor) => statusOf(floor)?.means_clear === true
  const people = {
    safe: sum(floors, (f) => f.safe),
    unknown: sum(floors, (f) => f.unknown),
    danger: sum(floors, (f) => f.danger),
  }
  const [unclear, text_failed] = [Math.min(14, people.unknown), 0]
  const asked = Math.floor((people.unknown - unclear) * 0.6)
  const real = floors.filter(({ status }) => status !== undefined)
  const waits = floors.flatMap(({ unanswered_at }) => unanswered_at ?? [])
  return {
    at: at.toISOString(),
    slow_at: new Date(at.getTime() - 4000).toISOString(),
    horizon: '100',
    places: places.version,
    event: {
      id: idOf('e', 1) as EventUid,
      site: { id: idOf('5', 1) as SiteUid, name: 'Harbour Quarter', timezone: deviceZone },
      type: 'Fire',
      kind: 'live',
      began_at: new Date(at.getTime() - now * 1000).toISOString(),
      coverage_minutes: 3,
    },
    totals: {
      people: { ...people, total: people.safe + people.unknown + people.danger },
      calls: calls.reduce((total, { count }) => total + count, 0),
      danger_floors: floors.filter(({ danger }) => danger).length,
      unknown_by_place: {
        not_cleared: sum(floors, (f) => (isCleared(f) ? 0 : f.unknown)),
        cleared: sum(floors, (f) => (isCleared(f) ? f.unknown : 0)),
      },
      unknown_by_cause: {
        unclear,
        text_failed,
        asked,
        seen_before: 0,
        not_asked: people.unknown - unclear - text_failed - asked,
      },
      own_word: Math.floor(people.safe / 34),
      floors: {
        total: real.length,
        cleared: real.filter(isCleared).length,
        under_way: real.filter(({ status }) => status === 1).length,
        help: real.filter(({ status }) => status === 3).length,
        not_begun: real.filter(({ status }) => status === 0).length,
      },
      plans: sum(floors, (f) => f.plans),
      no_warden: floors.filter(({ gap }) => gap !== undefined).length,
      unanswered: sum(floors, (f) => f.unanswered),
      ...(waits.length > 0 && { unanswered_at: Math.min(...waits) }),
      refused: sum(floors, (f) => f.refused),
      refused_floors: floors.filter(({ refused }) => refused).length,
    },
    buildings: places.buildings.map(() => ({})),
    floors,
    calls: [...calls],
    contradictions: floors.flatMap((floor, nth): BoardContradiction[] =>
      floor.contradictions ? [{ kind: 'cleared_danger', floor: nth, first: now - 620, second: now - 200 }] : [],
    ),
    more: false,
  }
}

export const somePanel = (nth: number, given: Partial<BoardPanel> = {}): BoardPanel => ({
  at: new Date().toISOString(),
  floor: { id: floorId(nth), name: 'Level 27', building: { id: buildingId(0), name: 'Tower A' } },
  status: {
    name: 'Assistance Required',
    colour: 'red',
    means_clear: false,
    set: { at: new Date(Date.now() - 70_000).toISOString(), by: 'A. Haddad', role: 'Floor Warden' },
  },
  people: { safe: 21, unknown: 9, danger: 2, total: 32 },
  refused: 0,
  plans: 0,
  unknown_by_cause: { unclear: 0, text_failed: 2, asked: 4, seen_before: 0, not_asked: 3 },
  wardens: [
    {
      assignment: idOf('a', 1) as AssignmentUid,
      sign_in: idOf('c', 1) as SignInUid,
      person: idOf('d', 1) as PersonUid,
      name: 'A. Haddad',
      role: 'Floor Warden',
      on_duty_at: new Date(Date.now() - 1_300_000).toISOString(),
      is_claimant: false,
    },
  ],
  calls: [],
  hazards: [],
  gap_at: null,
  claim: null,
  offer: null,
  ...given,
})
