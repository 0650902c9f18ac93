import type { ReactNode } from 'react'
import { useStore } from '../lib/store.ts'
import { barFact } from './bar-fact.ts'
import { useConnectionHealth } from './connection-health.ts'
import { LiveBar } from './live-bar.tsx'

interface TopBarProps {
  title: string
  /** Whom the page is about. Readers hear it with the title. */
  name?: string
  left?: ReactNode
  right?: ReactNode
  /** A small line below the title. */
  note?: ReactNode
  /** Fixed below the bar, above the page. */
  below?: ReactNode
}

/** The fixed bar with the page's h1 and, while something is wrong, the connection health. */
export function TopBar({ title, name, left, right, note, below }: TopBarProps) {
  const fact = useStore(barFact)
  return (
    <header ref={noteHeight} className="pin-top z-20 border-b border-hairline bg-canvas pt-[env(safe-area-inset-top)]">
      <div className="column flex min-h-15 items-center gap-1 px-1 wide:max-w-none wide:px-6">
        {left ?? <span className="w-2" />}
        <div className="min-w-0 flex-1">
          <h1
            tabIndex={-1}
            data-page-title
            aria-label={name ? `${title}, ${name}` : undefined}
            className="text-xl leading-tight font-bold"
          >
            {title}
          </h1>
          <div className="flex flex-wrap gap-x-2 *:min-w-0">
            {note}
            {fact && <p className="text-sm font-bold text-muted tabular-nums">{fact}</p>}
          </div>
        </div>
        {right}
      </div>
      <LiveBar {...useConnectionHealth()} />
      {below}
    </header>
  )
}

/** `--header`, the height of the bar with what stands below it: nothing that is scrolled to may end up behind the bar. */
function noteHeight(bar: HTMLElement | null) {
  if (!bar) return
  const observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--header', `${bar.offsetHeight}px`),
  )
  observer.observe(bar)
  return () => observer.disconnect()
}
