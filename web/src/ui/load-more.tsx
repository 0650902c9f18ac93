import { limits } from '@evac/contract/limits.ts'
import { useEffect, useRef } from 'react'

interface LoadMoreProps {
  /** False while the next page cannot be asked for; whether it is near is looked at anew once it can. */
  enabled: boolean
  onNear: () => unknown
}

/** FLOOR-06: lies at the very bottom of the nearest positioned page and calls within 150 px of it. */
export function LoadMore({ enabled, onNear }: LoadMoreProps) {
  const mark = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!mark.current || !enabled) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), {
      // This document's own window, also inside a frame, where the margin would count for nothing.
      root: document,
      rootMargin: `0px 0px ${limits.lazyLoadPx}px 0px`,
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [enabled, onNear])

  return <div ref={mark} aria-hidden className="pointer-events-none absolute bottom-0 left-0 size-px" />
}
