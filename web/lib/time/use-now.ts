import { useEffect, useState } from 'react'

/** The time by this device's clock, each so many milliseconds. */
export function useNow(each: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), each)
    return () => clearInterval(timer)
  }, [each])
  return Math.max(now, Date.now())
}
