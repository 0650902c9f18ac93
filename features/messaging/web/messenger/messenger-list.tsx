import { MessageLink } from '#web/evacuees/message-link.tsx'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { SmsRefused } from '#web/evacuees/sms-refused.tsx'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { useStore } from '#web/lib/store.ts'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { unreadStore } from '#web/live/unread.ts'
import { attendanceOf } from '#web/session/attendance.ts'
import type { InboxWarden, MessengerWarden } from '../../calls/messenger.ts'

/** The list while it loads. */
export const listShape = ['contact', 'contact', 'contact'] as const

/** Of the inbox, or of all wardens. */
type Listed = MessengerWarden & Partial<InboxWarden>

interface MessengerListProps {
  label: string
  wardens: readonly Listed[]
  /** This view, for the way back from a thread. */
  from: string
}

export function MessengerList({ label, wardens, from }: MessengerListProps) {
  const { wardens: unread } = useStore(unreadStore)
  if (wardens.length === 0) return <p className="py-8 text-center text-lg text-muted">No Wardens Found</p>
  return (
    <ul aria-label={label} className="cards gap-2">
      {wardens.map((warden) => (
        <Row key={warden.id} warden={warden} unread={warden.unread || unread.includes(warden.id)} from={from} />
      ))}
    </ul>
  )
}

function Row({ warden, unread, from }: { warden: Listed; unread: boolean; from: string }) {
  const { id, name, role, areas, phone, status, sms_refused, last_message } = warden
  return (
    <li className="card row-lazy flex flex-wrap items-center gap-2">
      <div className="min-w-0 grow basis-[170px]">
        <p className="text-lg leading-snug font-bold">
          {name}
          {unread && (
            <span className="ml-2 rounded-full bg-red px-2 py-0.5 align-middle text-sm text-on-red">Unread</span>
          )}
        </p>
        <p className="text-muted">{[role, ...areas.map((area) => area.name)].join(' · ')}</p>
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <StatusBadge status={attendanceOf(status)} />
          {sms_refused && <SmsRefused />}
        </p>
      </div>
      <div className="flex gap-2">
        <MessageLink to={`/message/warden/${id}`} from={from} name={name} unread={unread} />
        <PhoneLink name={name} phone={phone} />
      </div>
      {last_message && <LastMessage message={last_message} isNew={unread} />}
    </li>
  )
}

/** One line. The thread has the rest. */
function LastMessage({ message, isNew }: { message: InboxWarden['last_message']; isNew: boolean }) {
  const { text, own, timestamp } = message
  return (
    <p className="flex w-full items-baseline gap-2 border-t border-hairline pt-2">
      <span data-last className={`line-clamp-1 min-w-0 grow ${isNew ? 'font-bold' : ''}`}>
        {own && <span className="text-muted">You: </span>}
        {text}
      </span>
      <time dateTime={timestamp} className="shrink-0 text-sm text-muted tabular-nums">
        {formatMoment(new Date(timestamp))}
      </time>
    </p>
  )
}
