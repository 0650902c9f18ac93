import type { BoardFloor, BoardPlaces } from '../../calls/board.ts'
import type { ShownBoard } from '../../calls/walls.ts'

/** A board with the places that its floors follow, and when it was heard by this device's clock. */
export interface Picture {
  board: ShownBoard
  places: BoardPlaces
  heardAt: number
}

/** Seconds since the event began, counting on from the answer. `now` is this device's clock. */
export function eventSeconds({ board, heardAt }: Picture, now: number): number {
  const atAnswer = Date.parse(board.at) - Date.parse(board.event.began_at)
  return Math.floor((atAnswer + Math.max(0, now - heardAt)) / 1000)
}

/** The time of a second of the event, as this device tells time. */
export const momentOf = ({ board }: Picture, second: number) => Date.parse(board.event.began_at) + second * 1000

/** Floors that did not change keep their object, so that their rows are not drawn again. */
export function keepSame(before: Picture | null, next: Picture): Picture {
  if (before?.places.version !== next.places.version) return next
  const floors = next.board.floors.map((floor, nth) => {
    const old = before.board.floors[nth]
    return old && isSame(old, floor) ? old : floor
  })
  return { ...next, places: before.places, board: { ...next.board, floors } }
}

function isSame(a: BoardFloor, b: BoardFloor): boolean {
  const keys = Object.keys(a) as (keyof BoardFloor)[]
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
