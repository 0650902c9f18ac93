import type { ReactNode } from 'react'
import { useConnectionHealth } from './connection-health.ts'
import { LiveBar } from './live-bar.tsx'

interface TopBarProps {
  title: string
  left?: ReactNode
  right?: ReactNode
  /** A small line below the title. */
  note?: ReactNode
  /** Fixed below the bar, above the page. */
  below?: ReactNode
}

/** The fixed bar with the page's h1 and, while something is wrong, the connection health. */
export function TopBar({ title, left, right, note, below }: TopBarProps) {
  return (
    <header className="pin-top z-20 border-b border-hairline bg-canvas pt-[env(safe-area-inset-top)]">
      <div className="column flex min-h-15 items-center gap-1 px-1">
        {left ?? <span className="w-2" />}
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} data-page-title className="text-xl leading-tight font-bold">
            {title}
          </h1>
          {note}
        </div>
        {right}
      </div>
      <LiveBar {...useConnectionHealth()} />
      {below}
    </header>
  )
}
