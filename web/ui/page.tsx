import { createContext, type ReactNode, useContext } from 'react'

/** True for a thread that stands beside its list: a document has one main part, and the list stays as it was drawn. */
export const IsBeside = createContext(false)

interface PageProps {
  children: ReactNode
  className?: string
}

/** The column of a screen. The title is in the bar above it. */
export function Page({ children, className = '' }: PageProps) {
  const Part = useContext(IsBeside) ? 'div' : 'main'
  return (
    <Part
      className={`column grid grid-cols-1 content-start gap-4 pt-4 pb-[max(2rem,env(safe-area-inset-bottom))] wide:max-w-[1120px] ${className}`}
    >
      {children}
    </Part>
  )
}
