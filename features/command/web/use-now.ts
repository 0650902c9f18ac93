import { useEffect, useState } from 'react'

/** The time, anew every five seconds: for texts that tell minutes, and for what begins at a moment. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
