import { History } from 'lucide-react'
import type { EventUid } from '#kernel/ids.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { addressOf } from './warden-or-console.tsx'

export const ReplayLink = ({ event }: { event: EventUid }) => (
  <Link to={addressOf(`/${event}/replay`)} className={buttonClass('outline')}>
    <History aria-hidden className="shrink-0" />
    Replay
  </Link>
)
