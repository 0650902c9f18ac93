import { Megaphone } from 'lucide-react'
import type { AssignmentUid, SignInUid } from '#kernel/ids.ts'
import { MessageLink } from '#web/evacuees/message-link.tsx'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { useStore } from '#web/lib/store.ts'
import { unreadStore } from '#web/live/unread.ts'
import { attendanceOf } from '#web/session/attendance.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Warden } from '../../calls/attendance.ts'

/** What the links of a list need besides its wardens. */
export interface Sender {
  warden_id: AssignmentUid
  sms_allowed: boolean
  senderWardenSignInUid: SignInUid
}

interface WardenListProps {
  label: string
  wardens: readonly Warden[]
  sender: Sender
  /** This page, for the way back from a thread. */
  from: string
  /** What stands below a name. */
  about: (warden: Warden) => string
}

export function WardenList({ label, wardens, sender, from, about }: WardenListProps) {
  const canMessage = useAuth()?.module_access.Module_Warden_Messaging === true
  const { wardens: unread } = useStore(unreadStore)
  return (
    <ul aria-label={label} className="grid grid-cols-1 gap-3">
      {wardens.map((warden) => {
        const { id, name } = warden
        const isSelf = id === sender.warden_id
        return (
          <li key={id} className="row-lazy border-t border-hairline pt-3">
            <p className="font-bold">
              {name}
              {isSelf && <span className="font-normal text-muted"> (you)</span>}
            </p>
            <p className="text-muted">{about(warden)}</p>
            <div className="mt-1 flex flex-wrap items-center gap-2">
              <span className="min-w-0 grow">
                <StatusBadge status={attendanceOf(warden.status)} />
              </span>
              {canMessage && !isSelf && (
                <MessageLink
                  to={`/message/warden/${id}`}
                  from={from}
                  name={name}
                  unread={warden.unread || unread.includes(id)}
                />
              )}
              <PhoneLink name={name} phone={warden.phone} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** To the listed wardens except oneself; blocked without any. */
export function BroadcastLink({ to, wardens, sender }: { to: string; wardens: readonly Warden[]; sender: Sender }) {
  const canMessage = useAuth()?.module_access.Module_Warden_Messaging === true
  if (!canMessage) return null

  const { senderWardenSignInUid, sms_allowed } = sender
  const audience = wardens
    .filter(({ id }) => id !== sender.warden_id)
    .map(({ id, name, wardenSignInUid, status }) => ({ id, name, wardenSignInUid, status }))
  const text = (
    <span>
      Broadcast<span className="sr-only"> to {to}</span>
    </span>
  )
  if (audience.length === 0)
    return (
      <Button icon={Megaphone} block disabled>
        {text}
      </Button>
    )
  return (
    <Link
      to="/message/group"
      state={{ audience, senderWardenSignInUid, sms_allowed }}
      className={buttonClass('blue', true)}
    >
      <Megaphone aria-hidden className="shrink-0" />
      {text}
    </Link>
  )
}
