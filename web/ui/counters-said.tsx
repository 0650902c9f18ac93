import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../lib/counts.ts'

/** Milliseconds. */
const apart = 10_000

interface CountersSaidProps {
  /** Such as ['Safe', 12]. Undefined while they are not known. */
  counters: readonly (readonly [label: string, count: number])[] | undefined
}

/**
 * Counters as a polite live region. Reads out what has changed, at most every 10 s, and nothing when the page
 * opens. Stands empty from the start: a live region that comes together with its text is not read out.
 */
export function CountersSaid({ counters }: CountersSaidProps) {
  const text = counters?.map(([label, count]) => `${label} ${formatCount(count)}`).join(', ')
  const [said, setSaid] = useState<string>()
  const known = useRef<string>(undefined)
  const saidAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    known.current ??= text
    if (text === undefined || text === known.current) return
    const say = () => {
      known.current = text
      saidAt.current = performance.now()
      setSaid(text)
    }
    const timer = setTimeout(say, Math.max(0, saidAt.current + apart - performance.now()))
    return () => clearTimeout(timer)
  }, [text])

  return (
    <p role="status" data-counters className="sr-only">
      {said}
    </p>
  )
}
