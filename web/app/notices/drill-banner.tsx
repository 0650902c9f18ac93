import { Megaphone } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import './drill-bar.css'

interface DrillBannerProps {
  isDrill: boolean
  /** Shares the row of the bar. */
  children?: ReactNode
}

/** The bar that a page of a drill begins with, whatever bar the page has. */
export function DrillBanner({ isDrill, children }: DrillBannerProps) {
  const [host] = useState(() => document.createElement('div'))
  useLayoutEffect(() => putFirst(host), [host])
  return createPortal(
    isDrill && (
      <>
        <p>
          <Megaphone aria-hidden size={20} className="shrink-0" />
          DRILL. This is an exercise.
        </p>
        {children}
      </>
    ),
    host,
  )
}

/** Begins the document with this element, and keeps its height in `--drill`. */
function putFirst(host: HTMLElement) {
  const { style } = document.documentElement
  host.className = 'drill-bar'
  host.role = 'status'
  document.body.prepend(host)
  const observer = new ResizeObserver(() => style.setProperty('--drill', `${host.offsetHeight}px`))
  observer.observe(host)
  return () => {
    observer.disconnect()
    style.removeProperty('--drill')
    host.remove()
  }
}
