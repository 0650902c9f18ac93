import { Siren } from 'lucide-react'
import type { CallReply } from '#kernel/route.ts'
import { formatDateIn, formatMinuteIn } from '#web/console/zone-time.ts'
import type { listRecords } from '../../calls/records.ts'
import { KindBadge } from '../parts/signs.tsx'

/** Events that run: they have no record yet. */
export function Running({ events }: { events: CallReply<typeof listRecords>['running'] }) {
  if (events.length === 0) return null
  return (
    <section aria-label="Running" className="grid grid-cols-1 gap-3">
      {events.map(({ event, kind, type, site, buildings, started_at, timezone }) => (
        <div key={event} className="card flex items-start gap-3 border-l-8 border-l-red">
          <Siren aria-hidden className="mt-0.5 shrink-0 text-danger-ink" />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-2">
              <KindBadge kind={kind} />
              <strong>Running</strong>
            </p>
            <h2 className="text-lg leading-snug font-bold">{type}</h2>
            <p>
              {site}: {buildings.join(', ')}
            </p>
            <p className="text-muted tabular-nums">
              Since {formatDateIn(started_at, timezone)}, {formatMinuteIn(started_at, timezone)}
            </p>
          </div>
        </div>
      ))}
    </section>
  )
}
