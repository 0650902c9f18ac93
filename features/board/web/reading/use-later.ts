import { startTransition, useEffect, useState } from 'react'

/** Milliseconds: two frames. */
export const pause = 32

/** The value, once what was drawn with it elsewhere stands on the screen. What is drawn with this one is of a later frame. */
export function useLater<T>(value: T): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setLater(value)), pause)
    return () => clearTimeout(timer)
  }, [value])
  return later
}
