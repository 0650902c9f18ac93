import { useMatches } from '#web/lib/use-is-wide.ts'

/** The board has no rail beside it: a tablet on its side is enough. */
const board = matchMedia('(width >= 1000px)')
/** A screen on a wall is scaled, so it may also stand upright. */
const wall = matchMedia('(width >= 1000px), (orientation: portrait) and (width >= 700px)')

/** True on a screen with room for list and floors beside each other. */
export const hasRoomForBoard = () => board.matches
export const useHasRoomForBoard = () => useMatches(board)

/** True on a wall with room for list and floors, beside or above each other. */
export const useHasRoomForWall = () => useMatches(wall)
