import { useSyncExternalStore } from 'react'

/** Where totals, list and matrix have room beside each other. */
const desk = matchMedia('(width >= 1100px)')

export const isDesk = () => desk.matches

export const useIsDesk = () =>
  useSyncExternalStore((tell) => {
    desk.addEventListener('change', tell)
    return () => desk.removeEventListener('change', tell)
  }, isDesk)
