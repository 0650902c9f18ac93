import { useEffect, useState } from 'react'

/** Whole seconds since then, counting on. */
export function useSecondsSince(at: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((Math.max(now, at) - at) / 1000))
}
