import { useSyncExternalStore } from 'react'

/** The breakpoint `wide` of theme.css. */
const wide = matchMedia('(width >= 900px)')
/** Several parts beside each other need more, because a rail may take 280 px of it. */
const desk = matchMedia('(width >= 1100px)')
/** The board has no rail: a tablet on its side is enough. */
const board = matchMedia('(width >= 1000px)')
/** A screen on a wall is scaled, so it may also stand upright. */
const wall = matchMedia('(width >= 1000px), (orientation: portrait) and (width >= 700px)')

const useMatches = (query: MediaQueryList) =>
  useSyncExternalStore(
    (tell) => {
      query.addEventListener('change', tell)
      return () => query.removeEventListener('change', tell)
    },
    () => query.matches,
  )

/** True on a screen with room for a rail and two columns. */
export const useIsWide = () => useMatches(wide)

export const useIsDesk = () => useMatches(desk)
export const hasRoomForBoard = () => board.matches
export const useHasRoomForBoard = () => useMatches(board)
export const useIsWall = () => useMatches(wall)
