import { useSyncExternalStore } from 'react'

/** Where several parts have room beside each other: wider than `useIsWide`, because a rail may take 280 px of it. */
const desk = matchMedia('(width >= 1100px)')

export const isDesk = () => desk.matches

export const useIsDesk = () =>
  useSyncExternalStore((tell) => {
    desk.addEventListener('change', tell)
    return () => desk.removeEventListener('change', tell)
  }, isDesk)
