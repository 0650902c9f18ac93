import { useEffect, useRef } from 'react'
import * as limits from '#kernel/limits.ts'

interface LoadMoreProps {
  /** False while the next page cannot be requested. When it becomes true, the distance is checked again. */
  enabled: boolean
  onNear: () => unknown
}

/**
 * A mark at the very bottom of the nearest positioned ancestor. Calls `onNear` when it is within 150 px of
 * the screen.
 */
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
    // The observer sees moves without a scroll, but may miss a scroll in the frame of its first check.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && !life.signal.aborted && ask(), {
      // This document's own window, because rootMargin has no effect inside a frame otherwise.
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
