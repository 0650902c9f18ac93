import { PageBoundary } from './page-boundary.tsx'
import { LazyScreen, type ScreenEntry, screen } from './screen.tsx'

/** A page that is in no route table of the wardens: one lazy entry. */
const lazyPage = (entry: ScreenEntry) => () => (
  <PageBoundary>
    <LazyScreen entry={entry} />
  </PageBoundary>
)

export const isConsole = (pathname: string) => /^\/console(\/|$)/.test(pathname)

/** The administrators' side. */
export const ConsolePage = lazyPage(screen(async () => (await import('./console/console.tsx')).Console))

export const isSimulator = (pathname: string) => /^\/simulator\/?$/.test(pathname)

/** It belongs to the person who tries the program out, and is an unknown page where there is none. */
export const SimulatorPage = lazyPage(screen(async () => (await import('./simulator-page.tsx')).Simulator))
