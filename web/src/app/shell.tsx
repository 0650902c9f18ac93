import { use, useLayoutEffect, useRef } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { menuOpenStore } from '../lib/menu-state.ts'
import { useStore } from '../lib/store.ts'
import { findPage, hasSharedHeader } from '../pages/find-page.ts'
import { Redirect } from '../pages/navigate.ts'
import { leavingStore } from '../session/session-end.ts'
import { Spinner } from '../ui/spinner.tsx'
import { Guard } from './guards.tsx'
import { Header } from './header.tsx'
import { NotFound } from './not-found.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { LazyScreen } from './screen.tsx'
import { Screens } from './screens.ts'
import { isSimulator, SimulatorPage } from './simulator-page.tsx'

/** What the address asks for: '/' leads to the list, an address without a screen is an unknown page (ROUTE-01, ROUTE-27). */
export function Shell() {
  const pathname = usePathname()
  const page = findPage(pathname)
  const screens = use(Screens)
  const entry = page && screens[page.path]
  const isLeaving = useStore(leavingStore)
  usePageStart(pathname)

  if (isLeaving) return <Spinner label="Loading..." />
  if (pathname === '/') return <Redirect to="/reportinlist" />
  if (isSimulator(pathname)) return <SimulatorPage />
  if (!page || !entry) return <NotFound />
  return (
    <Guard access={page.access}>
      {hasSharedHeader(page) && <Header page={page} />}
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
