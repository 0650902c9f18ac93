import { useEffect, useLayoutEffect, useRef } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { kept } from '../../lib/tab-state.ts'
import { findPage } from '../../pages/find-page.ts'

const patience = 2000

/** A page that is come back to is where it was left. A thread opens at its newest message. */
export function useKeptScroll() {
  const pathname = usePathname()
  const shown = useRef(pathname)
  const isThread = findPage(pathname)?.besideList === true

  // After the shell's own effect, which begins a new page at its top.
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (!isThread) return scrollBackTo(kept.get<number>(`${pathname} scroll`) ?? 0)
  }, [pathname, isThread])
  useEffect(() => {
    // Not at 'scrollend' alone: older iPhones have none, and a link that is pressed while the page still moves comes first.
    // the page may have been moved before this part of the app had come
    let last = window.scrollY || undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(timer)
      timer = undefined
      if (last !== undefined) kept.set(`${pathname} scroll`, last || undefined)
    }
    const note = () => {
      if (pathname !== location.pathname) return
      last = window.scrollY
      timer ??= setTimeout(keep, 200)
    }
    window.addEventListener('scroll', note, { passive: true })
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('scroll', note)
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [pathname])
}

/** As soon as the page is that long. Gives up once someone scrolls. Returns a function that gives up. */
function scrollBackTo(y: number) {
  const life = new AbortController()
  const giveUp = () => life.abort()
  const deadline = performance.now() + patience
  const tryNow = () => {
    if (life.signal.aborted || performance.now() > deadline) return giveUp()
    const { scrollHeight, clientHeight } = document.documentElement
    if (scrollHeight - clientHeight < y) return requestAnimationFrame(tryNow)
    if (y > 0) window.scrollTo(0, y)
    giveUp()
  }
  for (const event of ['wheel', 'touchmove', 'keydown']) window.addEventListener(event, giveUp, life)
  tryNow()
  return giveUp
}
