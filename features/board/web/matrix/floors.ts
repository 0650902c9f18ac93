import type { BoardFloor, BoardPlaces } from '../../calls/board.ts'
import type { BoardStatus } from '../parts/status-looks.ts'
import type { Picture } from '../reading/board-snapshot.ts'

export type BoardBuildingPlace = BoardPlaces['buildings'][number]
export type FloorPlace = BoardBuildingPlace['floors'][number]

export interface FloorShown {
  /** The place in `floors` of the board. */
  nth: number
  place: FloorPlace
  floor: BoardFloor
  /** None on the row of people without a floor. */
  status: BoardStatus | undefined
  /** Open calls for help from there. */
  calls: number
}
export interface BuildingShown {
  /** The place in `buildings`. */
  nth: number
  place: BoardBuildingPlace
  /** Its wardens cover it whole. */
  isWhole: boolean
  wardens: number
  /** Since when it has no warden, if it is covered whole. */
  gap: number | undefined
  floors: FloorShown[]
}

/** The buildings of the board with their floors, highest on top. */
export function buildingsOf({ board, places }: Picture): BuildingShown[] {
  let next = 0
  const calls = new Map(board.calls.map(({ floor, count }) => [floor, count]))
  return places.buildings.map((place, nth) => {
    const { whole = false, wardens = 0, gap } = board.buildings[nth] ?? {}
    const floors = place.floors.flatMap((floorPlace) => {
      const at = next++
      const floor = board.floors[at]
      const status = floor?.status === undefined ? undefined : places.statuses[floor.status]
      return floor ? [{ nth: at, place: floorPlace, floor, status, calls: calls.get(at) ?? 0 }] : []
    })
    return { nth, place, isWhole: whole, wardens, gap, floors }
  })
}

export const isSameShown = (a: FloorShown, b: FloorShown) =>
  a.floor === b.floor && a.place === b.place && a.status === b.status && a.nth === b.nth && a.calls === b.calls

export const isSameBuilding = (a: BuildingShown, b: BuildingShown) =>
  a.place === b.place &&
  a.isWhole === b.isWhole &&
  a.wardens === b.wardens &&
  a.gap === b.gap &&
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
