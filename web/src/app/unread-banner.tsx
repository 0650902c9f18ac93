import type { ModuleFlag } from '@evac/contract/vocabulary.ts'
import { ChevronRight, MessageSquareWarning } from 'lucide-react'
import { useStore } from '../lib/store.ts'
import { type Unread, unreadStore, unreadText } from '../live/unread.ts'
import type { RoutePath } from '../pages/routes.ts'
import { useAuth } from '../session/stored-auth.ts'
import { Link } from '../ui/link.tsx'
import type { ScreenTable } from './screen-table.tsx'

interface UnreadBannerProps {
  screens: ScreenTable
  className: string
  onFollow?: () => void
}
interface Target {
  path: RoutePath
  flag: ModuleFlag
  search: string
}
const inbox: Target = { path: '/message/all', flag: 'Module_Warden_Messaging', search: '?view=inbox' }
const unreadEvacuees: Target = { path: '/evacuee/safety', flag: 'Module_Evacuee_Safety', search: '?message=unread' }

/** MENU-16..19; pressing it opens what is unread (AMB-015). Without a page to open it is a remark only. */
export function UnreadBanner({ screens, className, onFollow }: UnreadBannerProps) {
  const unread = useStore(unreadStore)
  const auth = useAuth()
  const text = auth?.on_duty ? unreadText(unread) : null
  // Stands empty from the start: a live region that comes together with its text is not read out.
  if (!text) return <div role="status" className="sr-only" />

  const target = targetsOf(unread).find(({ path, flag }) => screens[path] && auth?.module_access[flag])
  const look = 'column flex min-h-13 items-center gap-3 py-2 font-bold text-ink'
  const content = (
    <>
      <MessageSquareWarning aria-hidden className="shrink-0 text-warning-ink" />
      <span className="min-w-0 flex-1">{text}</span>
    </>
  )
  return (
    <div role="status" className={`border-unknown bg-surface ${className}`}>
      {target ? (
        <Link className={look} to={target.path + target.search} onClick={onFollow}>
          {content}
          <ChevronRight aria-hidden className="shrink-0" />
        </Link>
      ) : (
        <p className={look}>{content}</p>
      )}
    </div>
  )
}

const targetsOf = ({ fromWardens }: Unread) => (fromWardens ? [inbox, unreadEvacuees] : [unreadEvacuees])
