import { ChevronRight } from 'lucide-react'
import { mostUnread } from '#kernel/limits.ts'
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

/** The banner is one line, also in the menu of a narrow phone and in the rail. The letters shrink with the room, to 11 px. */
const look =
  'flex min-h-13 items-center gap-1 px-1.5 py-2 text-[clamp(0.6875rem,(100cqi-36px)/22.5,0.875rem)] leading-tight font-semibold tracking-tighter text-ink -outline-offset-3 @sm:gap-1.5 @sm:px-3 @sm:tracking-tight'

/** Unread messages. Pressing it opens what is unread. Without a page to open it is a remark only. */
export function UnreadBanner({ className, onFollow }: UnreadBannerProps) {
  const unread = useStore(unreadStore)
  const auth = useAuth()
  const text = auth?.on_duty ? unreadText(unread) : null
  // Stands empty from the start: a live region that comes together with its text is not read out.
  if (!text) return <div role="status" className="sr-only" />

  const target = auth && targetsOf(unread).find(({ access }) => isAllowed(auth, access))
  const content = (
    <>
      <span className="min-w-0 flex-1">{text}</span>
      {unreadCounts(unread).map(({ of, count }) => (
        <UnreadCount key={of} of={of} count={count} />
      ))}
    </>
  )
  return (
    <div role="status" className={`@container border-unknown bg-surface ${className}`}>
      {target ? (
        <Link className={look} to={target.to} onClick={onFollow}>
          {content}
          <ChevronRight aria-hidden className="hidden shrink-0 @lg:block" />
        </Link>
      ) : (
        <p className={look}>{content}</p>
      )}
    </div>
  )
}

/** Readers hear of whom. */
function UnreadCount({ of, count }: { of: string; count: number }) {
  const shown = count < mostUnread ? String(count) : `${mostUnread - 1}+`
  return (
    <span className="shrink-0 rounded-full bg-unknown px-1 font-bold @sm:px-1.5 text-on-unknown tabular-nums">
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
