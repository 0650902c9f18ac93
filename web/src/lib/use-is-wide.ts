import { useSyncExternalStore } from 'react'

/** The breakpoint `wide` of theme.css. */
const wide = matchMedia('(width >= 900px)')

/** True on a screen with room for a rail and two columns (UX-60). */
export const useIsWide = () =>
  useSyncExternalStore(
    (tell) => {
      wide.addEventListener('change', tell)
      return () => wide.removeEventListener('change', tell)
    },
    () => wide.matches,
  )
