import { NotFound } from './not-found.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { LazyScreen, screen } from './screen.tsx'

const entry = screen(async () => {
  const { SimulatorScreen } = await import('../features/simulator/simulator-screen.tsx')
  return () => <SimulatorScreen switchedOff={<NotFound />} />
})

export const isSimulator = (pathname: string) => /^\/simulator\/?$/.test(pathname)

/** In no route table: it belongs to whoever tries the program out, and is an unknown page where there is none (ROUTE-27). */
export function SimulatorPage() {
  return (
    <PageBoundary>
      <LazyScreen entry={entry} />
    </PageBoundary>
  )
}
