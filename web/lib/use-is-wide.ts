import { useSyncExternalStore } from 'react'

/** The breakpoint `wide` of theme.css. */
const wide = matchMedia('(width >= 900px)')
/** Several parts beside each other need more, because a rail may take 280 px of it. */
const desk = matchMedia('(width >= 1100px)')

export const useMatches = (query: MediaQueryList) =>
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
