import { useLayoutEffect, useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { menuOpenStore } from '../lib/menu-state.ts'
import { useStore } from '../lib/store.ts'
import { findRoute, hasSharedHeader } from '../pages/routes.ts'
import { leavingStore } from '../session/session-end.ts'
import { Spinner } from '../ui/spinner.tsx'
import { Guard } from './guards.tsx'
import { Header } from './header.tsx'
import { NotFound } from './not-found.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { LazyScreen, type ScreenTable } from './screen-table.tsx'
import { isSimulator, SimulatorPage } from './simulator-page.tsx'

/** What the address asks for: '/' leads to the list, a route without a screen is an unknown page (ROUTE-01, ROUTE-27). */
export function Shell({ screens }: { screens: ScreenTable }) {
  const { pathname } = useLocation()
  const route = findRoute(pathname)
  const entry = route && screens[route.path]
  const isLeaving = useStore(leavingStore)
  usePageStart(pathname)

  if (isLeaving) return <Spinner label="Loading..." />
  if (pathname === '/') return <Navigate to="/reportinlist" replace />
  if (isSimulator(pathname)) return <SimulatorPage />
  if (!route || !entry) return <NotFound />
  return (
    <Guard access={route.access}>
      {hasSharedHeader(pathname) && <Header route={route} screens={screens} />}
      <PageBoundary key={pathname}>
        <LazyScreen entry={entry} />
      </PageBoundary>
    </Guard>
  )
}

/**
 * A new page begins at its top with the menu closed, and its title takes the focus so that it is read out. Before the page's
 * own effects: a thread scrolls on to its newest message.
 */
function usePageStart(pathname: string) {
  const shown = useRef(pathname)
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    menuOpenStore.set(false)
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
  }, [pathname])
}
