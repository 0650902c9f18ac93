import { createContext, type ReactNode, useContext } from 'react'

/** True for a list that stands beside the page itself: a document has one main part. */
export const IsBeside = createContext(false)

interface PageProps {
  children: ReactNode
  className?: string
}

/** The column of a screen. The title is in the bar above it. */
export function Page({ children, className = '' }: PageProps) {
  const isBeside = useContext(IsBeside)
  return (
    <div
      // Not <main>: a list that comes to stand beside a thread must not be drawn anew.
      role={isBeside ? undefined : 'main'}
      className={`column grid grid-cols-1 content-start gap-4 pt-4 pb-[max(2rem,env(safe-area-inset-bottom))] wide:max-w-[1120px] ${className}`}
    >
      {children}
    </div>
  )
}
