import type { ReactNode } from 'react'

interface PageProps {
  children: ReactNode
  /** Allows two columns from 900 px (event manager's screens). */
  wide?: boolean
  className?: string
}

/** The column of a screen. The title is in the bar above it. */
export function Page({ children, wide = false, className = '' }: PageProps) {
  return (
    <main
      className={`column grid grid-cols-1 content-start gap-4 pt-4 pb-[max(2rem,env(safe-area-inset-bottom))] ${wide ? 'wide:max-w-[960px]' : ''} ${className}`}
    >
      {children}
    </main>
  )
}
