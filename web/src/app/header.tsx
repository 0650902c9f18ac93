import { ArrowLeft } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { TopBar } from '../live/top-bar.tsx'
import { backTarget, isMenuPage, type Route } from '../pages/routes.ts'
import { MenuButton } from '../session/menu-button.tsx'
import { useAuth } from '../session/stored-auth.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Link } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import type { ScreenTable } from './screen-table.tsx'
import { UnreadBanner } from './unread-banner.tsx'

/** The shared header: title from the route table, burger or back arrow, and the logo as the way home (AMB-008). */
export function Header({ route, screens }: { route: Route; screens: ScreenTable }) {
  const auth = useAuth()
  if (route.access === 'guest') return <TopBar title={route.title} />
  const byMenu = auth?.on_duty && isMenuPage(route.path)
  return (
    <TopBar
      title={route.title}
      left={byMenu ? <MenuButton /> : <BackButton route={route} />}
      right={
        <Link to="/reportinlist" aria-label="Report In List" className="btn p-0">
          <Logo />
        </Link>
      }
      note={<ConnectionStatus />}
      below={<UnreadBanner screens={screens} className="border-t-2" />}
    />
  )
}

/** AMB-008: none on Event Management while an event runs; the logo still leads to the list. */
function BackButton({ route }: { route: Route }) {
  const { search, key } = useLocation()
  const navigate = useNavigate()
  const eventRuns = useAuth()?.event.status
  if (eventRuns && route.path === '/event/management') return <span className="w-2" />
  // GRP-03: to the screen whose list it is; a page opened by its address has none before it
  const isOpenedByList = route.path === '/message/group' && key !== 'default'
  const back = () => (isOpenedByList ? navigate(-1) : navigate(backTarget(route.path, search)))
  return <IconButton icon={ArrowLeft} label="Back" plain onClick={() => void back()} />
}
