import { useEffect, useRef } from 'react'
import { browser } from '#web/lib/browser.ts'
import type { WallShown } from './wall-reader.ts'

/** Milliseconds. A screen that hangs for months takes the newest version of its page by itself. */
const eachHalfDay = 12 * 60 * 60 * 1000

/** Loads the page anew twice a day, while the server answers and no event runs. */
export function useReloadAtRest({ site, picture, isEnded, heardAt }: WallShown) {
  const openedAt = useRef(Date.now())
  useEffect(() => {
    const isAtRest = site !== null && picture === null && !isEnded
    if (isAtRest && heardAt - openedAt.current > eachHalfDay) void browser.reloadWhenReachable()
  }, [site, picture, isEnded, heardAt])
}
