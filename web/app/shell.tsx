import { use, useLayoutEffect, useRef } from 'react'
import { usePathname, useSearch } from 'wouter/use-browser-location'
import { useStore } from '../lib/store.ts'
import { useIsWide } from '../lib/use-is-wide.ts'
import { isAllowed } from '../pages/access.ts'
import { findPage, hasRail, hasSharedHeader, listBeside } from '../pages/find-page.ts'
import { Redirect } from '../pages/navigate.ts'
import { OwnSearch } from '../pages/own-search.ts'
import type { PageRow } from '../pages/pages.ts'
import { menuOpenStore } from '../session/navigation/menu-button.tsx'
import { leavingStore } from '../session/session-end.ts'
import { useAuth } from '../session/stored-auth.ts'
import { IsBeside } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Guard } from './guards.tsx'
import { Header } from './header.tsx'
import { isSimulator, SimulatorPage } from './lazy-page.tsx'
import { NotFound } from './not-found.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { LazyScreen, type ScreenEntry } from './screen.tsx'
import { Screens } from './screens.ts'

/** What the address asks for: '/' leads to the list, an address without a screen is an unknown page. */
export function Shell() {
  const pathname = usePathname()
  const page = findPage(pathname)
  const screens = use(Screens)
  const entry = page && screens[page.path]
  const isLeaving = useStore(leavingStore)
  const isOnDuty = useAuth()?.on_duty
  const beside = useListBeside(page)
  usePageStart(beside?.page.path ?? pathname)

  if (isLeaving) return <Spinner label="Loading..." />
  if (pathname === '/') return <Redirect to="/reportinlist" />
  if (isSimulator(pathname)) return <SimulatorPage />
  if (!page || !entry) return <NotFound />
  return (
    <Guard access={page.access}>
      <div className={isOnDuty && hasRail(page) ? 'wide:pl-70 print:pl-0' : undefined}>
        {hasSharedHeader(page) && <Header page={page} />}
        <Panes beside={beside} pathname={pathname} entry={entry} />
      </div>
    </Guard>
  )
}

/** The list that the page stands beside, where there is room and the warden may open it. */
function useListBeside(page: PageRow | undefined) {
  const auth = useAuth()
  const search = useSearch()
  const isWide = useIsWide()
  const list = page && isWide ? listBeside(page, search) : undefined
  return list && auth && isAllowed(auth, list.page.access) ? list : undefined
}

interface PanesProps {
  beside: ReturnType<typeof useListBeside>
  pathname: string
  entry: ScreenEntry
}

/** A list stays as it is while the threads beside it change. */
function Panes({ beside, pathname, entry }: PanesProps) {
  const screens = use(Screens)
  const listEntry = beside && screens[beside.page.path]
  return (
    <div className={listEntry ? 'grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)]' : 'contents'}>
      <OwnSearch value={beside?.search}>
        <PageBoundary key={listEntry ? beside.page.path : pathname}>
          <LazyScreen entry={listEntry ?? entry} />
        </PageBoundary>
      </OwnSearch>
      {listEntry && (
        <section
          aria-label="Thread"
          data-pane
          className="sticky top-(--bar) h-[calc(100dvh-var(--bar))] overflow-y-auto border-l border-hairline"
        >
          <IsBeside value={true}>
            <PageBoundary key={pathname}>
              <LazyScreen entry={entry} />
            </PageBoundary>
          </IsBeside>
        </section>
      )}
    </div>
  )
}

/**
 * A new page begins at its top with the menu closed, and its title takes the focus so that it is read out. Before the page's
 * own effects: a thread scrolls on to its newest message.
 */
function usePageStart(place: string) {
  const shown = useRef(place)
  useLayoutEffect(() => {
    if (shown.current === place) return
    shown.current = place
    menuOpenStore.set(false)
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
  }, [place])
}
