import type { EventSites } from '@evac/contract/calls/events.ts'
import { Siren } from 'lucide-react'
import { isInEvent } from './selection.ts'

/** The event in progress at the session's site, in red: nobody should start or end one without having seen it. */
export function RunningEvent({ data: { activeEvent, sites } }: { data: EventSites['data'] }) {
  if (!activeEvent) return null
  const site = sites.find(({ id }) => id === activeEvent.siteId)
  const buildings = site?.buildings.filter(isInEvent).map(({ name }) => name) ?? []
  return (
    <section aria-label="Current event" className="card flex items-start gap-3 border-l-8 border-l-red">
      <Siren aria-hidden className="mt-0.5 shrink-0 text-danger-ink" />
      <div className="min-w-0 flex-1">
        <h2 className="text-lg leading-snug font-bold">{activeEvent.type}</h2>
        <p className="text-muted">{activeEvent.description}</p>
        {site && (
          <p className="mt-1 font-semibold">
            {site.name}: {buildings.join(', ')}
          </p>
        )}
      </div>
    </section>
  )
}
