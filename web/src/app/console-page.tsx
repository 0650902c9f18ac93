import { PageBoundary } from './page-boundary.tsx'
import { LazyScreen, screen } from './screen.tsx'

const entry = screen(async () => (await import('./console/console.tsx')).Console)

export const isConsole = (pathname: string) => /^\/console(\/|$)/.test(pathname)

/** The administrators' side: in no route table of the wardens, and one lazy entry. */
export function ConsolePage() {
  return (
    <PageBoundary>
      <LazyScreen entry={entry} />
    </PageBoundary>
  )
}
