import type { Say } from '#kernel/action-words.ts'
import type { BoardFloor, BoardPlaces } from '../../calls/board.ts'
import { isQuietBuilding, sayOfBuilding } from '../parts/say.ts'
import { shortNames } from '../parts/short-names.ts'
import type { BoardStatus } from '../parts/status-looks.ts'
import type { Picture } from '../reading/board-snapshot.ts'

export type BoardBuildingPlace = BoardPlaces['buildings'][number]
export type FloorPlace = BoardBuildingPlace['floors'][number]

export interface FloorShown {
  /** The place in `floors` of the board. */
  nth: number
  place: FloorPlace
  /** What stands for it in a narrow column, unlike any other of its building. */
  short: string
  floor: BoardFloor
  /** None on the row of people without a floor. */
  status: BoardStatus | undefined
  /** Open calls for help from there. */
  calls: number
  /** In the words of what the people of its building do. */
  say: Say
}
export interface BuildingShown {
  /** The place in `buildings`. */
  nth: number
  place: BoardBuildingPlace
  /** What stands for it in a narrow column, unlike any other of the board. */
  short: string
  /** Its wardens cover it whole. */
  isWhole: boolean
  wardens: number
  /** Since when it has no warden, if it is covered whole. */
  gap: number | undefined
  /** In the words of what its people do. */
  say: Say
  /** Its people hide. */
  isQuiet: boolean
  floors: FloorShown[]
}

interface Shorts {
  buildings: string[]
  floors: string[][]
}
/** Places keep their object from reading to reading. */
const known = new WeakMap<BoardPlaces, Shorts>()

function shortsOf(places: BoardPlaces): Shorts {
  const found = known.get(places) ?? {
    buildings: shortNames(places.buildings.map(({ name }) => name)),
    floors: places.buildings.map(({ floors }) => shortNames(floors.map(({ name }) => name))),
  }
  known.set(places, found)
  return found
}

/** The buildings of the board with their floors, highest on top. */
export function buildingsOf({ board, places }: Picture): BuildingShown[] {
  let next = 0
  const shorts = shortsOf(places)
  const calls = new Map(board.calls.map(({ floor, count }) => [floor, count]))
  return places.buildings.map((place, nth) => {
    const { whole = false, wardens = 0, gap } = board.buildings[nth] ?? {}
    const say = sayOfBuilding(board.buildings[nth])
    const floors = place.floors.flatMap((floorPlace, level) => {
      const short = shorts.floors[nth]?.[level] ?? ''
      const at = next++
      const floor = board.floors[at]
      const status = floor?.status === undefined ? undefined : places.statuses[floor.status]
      return floor ? [{ nth: at, place: floorPlace, short, floor, status, calls: calls.get(at) ?? 0, say }] : []
    })
    return {
      nth,
      place,
      short: shorts.buildings[nth] ?? '',
      isWhole: whole,
      wardens,
      gap,
      say,
      isQuiet: isQuietBuilding(board.buildings[nth]),
      floors,
    }
  })
}

export const isSameShown = (a: FloorShown, b: FloorShown) =>
  a.floor === b.floor &&
  a.place === b.place &&
  a.status === b.status &&
  a.nth === b.nth &&
  a.calls === b.calls &&
  a.say === b.say

export const isSameBuilding = (a: BuildingShown, b: BuildingShown) =>
  a.place === b.place &&
  a.isWhole === b.isWhole &&
  a.wardens === b.wardens &&
  a.gap === b.gap &&
  a.say === b.say &&
  a.floors.length === b.floors.length &&
  a.floors.every((floor, at) => isSameShown(floor, b.floors[at] as FloorShown))

/** A row of people without a floor is no floor: it has no status, and no one is missing there. */
const isRealFloor = ({ status }: FloorShown) => status !== undefined

export const clearedOf = ({ floors }: BuildingShown) => floors.filter(({ status }) => status?.means_clear).length
export const realFloorsOf = ({ floors }: BuildingShown) => floors.filter(isRealFloor).length
export const dangerOf = ({ floors }: BuildingShown) => floors.reduce((sum, { floor }) => sum + (floor.danger ?? 0), 0)

/** Nothing is to be done there. */
export function isCalm({ floor, status, calls }: FloorShown): boolean {
  if ((status && !status.means_clear) || calls > 0) return false
  const { unknown, danger, refused, gap, plans, unanswered, text_failed, contradictions } = floor
  return ![unknown, danger, refused, plans, unanswered, text_failed, contradictions].some(Boolean) && gap === undefined
}
