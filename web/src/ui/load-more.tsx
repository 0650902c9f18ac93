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
    const element = mark.current
    if (!element || !enabled) return
    const life = new AbortController()
    const ask = () => {
      life.abort()
      onNear()
    }
    // The observer sees what moves without a scroll; it may miss a scroll that comes in the frame of its first look.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && !life.signal.aborted && ask(), {
      // This document's own window, also inside a frame, where the margin would count for nothing.
      root: document,
      rootMargin: `0px 0px ${limits.lazyLoadPx}px 0px`,
    })
    const look = () => element.getBoundingClientRect().top <= window.innerHeight + limits.lazyLoadPx && ask()
    observer.observe(element)
    window.addEventListener('scroll', look, { passive: true, signal: life.signal })
    return () => {
      life.abort()
      observer.disconnect()
    }
  }, [enabled, onNear])

  return <div ref={mark} aria-hidden className="pointer-events-none absolute bottom-0 left-0 size-px" />
}
