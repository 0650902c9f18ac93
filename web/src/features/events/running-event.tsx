import type { EventSites } from '@evac/contract/calls/events.ts'
import { Siren } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { DrillBadge } from '../../ui/event-frame.tsx'
import { isInEvent, type Selection } from './selection.ts'

interface RunningEventProps {
  data: EventSites['data']
  /** Undefined once something is chosen: the button at the foot then says what is done with it. */
  onChooseAll: ((buildings: Selection) => void) | undefined
}

/** The event in progress at the session's site, in red: nobody should start or end one without having seen it. */
export function RunningEvent({ data: { activeEvent, sites }, onChooseAll }: RunningEventProps) {
  if (!activeEvent) return null
  const site = sites.find(({ id }) => id === activeEvent.siteId)
  const inEvent = site?.buildings.filter(isInEvent) ?? []
  const buildings = inEvent.map(({ name }) => name)
  const mayEnd = inEvent.length > 0 && inEvent.every(({ manageable }) => manageable)
  return (
    <section aria-label="Current event" className="card flex items-start gap-3 border-l-8 border-l-red">
      <Siren aria-hidden className="mt-0.5 shrink-0 text-danger-ink" />
      <div className="min-w-0 flex-1">
        <h2 className="flex flex-wrap gap-x-2 text-lg leading-snug font-bold">
          {activeEvent.type}
          {activeEvent.kind === 'drill' && <DrillBadge />}
        </h2>
        <p className="text-muted">{activeEvent.description}</p>
        {site && (
          <p className="mt-1 font-semibold">
            {site.name}: {buildings.join(', ')}
          </p>
        )}
        {mayEnd && onChooseAll && (
          <Button variant="outline" className="mt-2 px-2" onClick={() => onChooseAll(inEvent.map(({ id }) => id))}>
            Choose all buildings to end it
          </Button>
        )}
      </div>
    </section>
  )
}
