import { ArrowLeft } from 'lucide-react'
import { useHistoryState, useSearch } from 'wouter/use-browser-location'
import { useStore } from '../lib/store.ts'
import { titleNameStore } from '../live/title-name.ts'
import { TopBar } from '../live/top-bar.tsx'
import { backTarget, isForVisitors } from '../pages/find-page.ts'
import { navigate } from '../pages/navigate.ts'
import type { PageRow } from '../pages/pages.ts'
import { MenuButton } from '../session/navigation/menu-button.tsx'
import { useAuth } from '../session/stored-auth.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Link } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { belowHeaderStore } from './menu/below-header.ts'
import { ConnectionStatus } from './menu/connection-status.tsx'

/** The shared header: title from the page table, burger or back arrow, and the logo as the way home. */
export function Header({ page }: { page: PageRow }) {
  const auth = useAuth()
  const name = useStore(titleNameStore)
  const below = useStore(belowHeaderStore)
  if (isForVisitors(page)) return <TopBar title={page.title} />
  const byMenu = auth?.on_duty && page.menu
  return (
    <TopBar
      title={page.title}
      name={name}
      left={byMenu ? <MenuButton /> : <BackButton page={page} />}
      right={
        <Link to="/reportinlist" aria-label="Report In List" title="Report In List" className="btn p-0">
          <Logo />
        </Link>
      }
      note={<ConnectionStatus />}
      below={below}
    />
  )
}

/** None on Event Management while an event runs; the logo still leads to the list. */
function BackButton({ page }: { page: PageRow }) {
  const search = useSearch()
  const isOpenedInApp = useHistoryState() !== null
  const eventRuns = useAuth()?.event.status
  if (eventRuns && page.back?.hiddenInEvent) return <span className="w-2" />
  const back = () => (page.back?.orPrevious && isOpenedInApp ? history.back() : navigate(backTarget(page, search)))
  return <IconButton icon={ArrowLeft} label="Back" plain onClick={back} />
}
