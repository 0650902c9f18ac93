import { useSyncExternalStore } from 'react'

/** The breakpoint `wide` of theme.css. */
const wide = matchMedia('(width >= 900px)')
/** Several parts beside each other need more. A tablet on its side has it. */
const desk = matchMedia('(width >= 1000px)')
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

export const isDesk = () => desk.matches
export const useIsDesk = () => useMatches(desk)
export const useIsWall = () => useMatches(wall)
