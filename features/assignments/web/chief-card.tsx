import { MessageSquare, Phone } from 'lucide-react'
import type { ReportData } from '#features/duty/calls/report-in.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

type Chief = NonNullable<ReportData['data']['chief']>

/** Whom the warden turns to. */
export function ChiefCard({ chief: { id, name, role, phone } }: { chief: Chief }) {
  const canMessage = useAuth()?.module_access.Module_Warden_Messaging === true
  return (
    <section aria-labelledby="chief" className="card grid grid-cols-1 gap-2">
      <div>
        <h2 id="chief" className="text-lg leading-snug font-bold">
          {role}
        </h2>
        <p className="text-muted">{name}, on duty</p>
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2 empty:hidden">
        {canMessage && (
          <Link
            to={`/message/warden/${id}?from=%2Fme%2Frole`}
            aria-label={`Message ${name}`}
            className={buttonClass('outline')}
          >
            <MessageSquare aria-hidden className="shrink-0" />
            Message
          </Link>
        )}
        {phone && (
          <a href={`tel:+${phone}`} aria-label={`Call ${name}`} className={buttonClass('outline')}>
            <Phone aria-hidden className="shrink-0" />
            Call
          </a>
        )}
      </div>
    </section>
  )
}
