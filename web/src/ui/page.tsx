import type { ReactNode } from 'react'

interface PageProps {
  children: ReactNode
  /** Two columns may stand side by side from 900 px (event manager's screens). */
  wide?: boolean
  className?: string
}

/** The column of a screen; the title stands in the bar above it. */
export function Page({ children, wide = false, className = '' }: PageProps) {
  return (
    <main
      className={`column grid grid-cols-1 content-start gap-4 pt-4 pb-[max(2rem,env(safe-area-inset-bottom))] ${wide ? 'wide:max-w-[960px]' : ''} ${className}`}
    >
      {children}
    </main>
  )
}
