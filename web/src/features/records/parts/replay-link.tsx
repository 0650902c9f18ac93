import type { EventUid } from '@evac/contract/ids.ts'
import { History } from 'lucide-react'
import { buttonClass } from '../../../ui/button.tsx'
import { Link } from '../../../ui/link.tsx'
import { addressOf } from './side.tsx'

export const ReplayLink = ({ event }: { event: EventUid }) => (
  <Link to={addressOf(`/${event}/replay`)} className={buttonClass('outline')}>
    <History aria-hidden className="shrink-0" />
    Replay
  </Link>
)
