import { Building2, CalendarDays, type LucideIcon, MapPin } from 'lucide-react'
import { formatDateRange } from '#web/lib/time/dates.ts'
import type { ReportInDetails } from '#web/session/stored-auth.ts'

/** What the chosen card said, as the card said it. */
export function AssignmentFacts({ clientSite, role, area, dateFrom, dateTo }: ReportInDetails) {
  return (
    <dl className="card grid grid-cols-1 gap-2 p-4">
      <dt className="sr-only">Role</dt>
      <dd className="text-xl leading-tight font-bold">{role}</dd>
      <Line icon={MapPin} label="Area" text={area} />
      <Line icon={Building2} label="Site" text={clientSite} />
      <Line icon={CalendarDays} label="Dates" text={formatDateRange(dateFrom, dateTo)} />
    </dl>
  )
}

function Line({ icon: Icon, label, text }: { icon: LucideIcon; label: string; text: string }) {
  if (!text) return null
  return (
    <>
      <dt className="sr-only">{label}</dt>
      <dd className="flex items-start gap-2.5 leading-snug">
        <Icon aria-hidden size={20} className="mt-px shrink-0 text-muted" />
        <span className="min-w-0">{text}</span>
      </dd>
    </>
  )
}
