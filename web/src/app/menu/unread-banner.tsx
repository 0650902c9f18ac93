import { mostUnread } from '@evac/contract/limits.ts'
import { ChevronRight } from 'lucide-react'
import { useStore } from '../../lib/store.ts'
import { type Unread, unreadCounts, unreadStore, unreadText } from '../../live/unread.ts'
import { isAllowed } from '../../pages/access.ts'
import { type Address, pages } from '../../pages/pages.ts'
import { useAuth } from '../../session/stored-auth.ts'
import { Link } from '../../ui/link.tsx'

interface UnreadBannerProps {
  className: string
  onFollow?: () => void
}

/** MENU-16..19; pressing it opens what is unread (AMB-015). Without a page to open it is a remark only. */
export function UnreadBanner({ className, onFollow }: UnreadBannerProps) {
  const unread = useStore(unreadStore)
  const auth = useAuth()
  const text = auth?.on_duty ? unreadText(unread) : null
  // Stands empty from the start: a live region that comes together with its text is not read out.
  if (!text) return <div role="status" className="sr-only" />

  const target = auth && targetsOf(unread).find(({ access }) => isAllowed(auth, access))
  const look = 'flex min-h-13 items-center gap-1.5 px-3 py-2 text-sm font-semibold tracking-tight text-ink'
  const content = (
    <>
      <span className="min-w-0 flex-1">{text}</span>
      {unreadCounts(unread).map(({ of, count }) => (
        <UnreadCount key={of} of={of} count={count} />
      ))}
    </>
  )
  return (
    <div role="status" className={`border-unknown bg-surface ${className}`}>
      {target ? (
        <Link className={look} to={target.to} onClick={onFollow}>
          {content}
          <ChevronRight aria-hidden className="hidden shrink-0 sm:block" />
        </Link>
      ) : (
        <p className={look}>{content}</p>
      )}
    </div>
  )
}

/** UX-84: readers hear of whom. */
function UnreadCount({ of, count }: { of: string; count: number }) {
  const shown = count < mostUnread ? String(count) : `${mostUnread - 1}+`
  return (
    <span className="shrink-0 rounded-full bg-unknown px-1.5 font-bold text-on-unknown tabular-nums">
      {shown} <span className="sr-only">{count === 1 ? of : `${of}s`}</span>
    </span>
  )
}

const readers = pages.flatMap(({ path, access, unread }) =>
  unread ? [{ from: unread.from, access, to: `${path}${unread.search}` as Address }] : [],
)
const readersOf = (from: 'wardens' | 'evacuees') => readers.filter((page) => page.from === from)
/** Wardens before evacuees. */
const targetsOf = ({ fromWardens }: Unread) => [...(fromWardens ? readersOf('wardens') : []), ...readersOf('evacuees')]
