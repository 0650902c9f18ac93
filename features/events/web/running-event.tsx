import { FileText, Siren, UserPlus } from 'lucide-react'
import type { EventUid } from '#kernel/ids.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { EventSites } from '../calls/events.ts'
import { ChangeAction } from './change-action.tsx'
import { LiveSeen, MakeLive } from './made-live.tsx'
import { isInEvent, type Selection } from './selected-buildings.ts'

interface RunningEventProps {
  data: EventSites['data']
  /** Undefined once something is chosen: the button at the foot then says what is done with it. */
  onChooseAll: ((buildings: Selection) => void) | undefined
}

/** The event in progress at the session's site, in red: no one should start or end one without having seen it. */
export function RunningEvent({ data: { activeEvent, sites, eventTypes }, onChooseAll }: RunningEventProps) {
  if (!activeEvent) return null
  const typeMessage = eventTypes.find(({ id }) => id === activeEvent.eventType)?.message ?? ''
  const site = sites.find(({ id }) => id === activeEvent.siteId)
  const inEvent = site?.buildings.filter(isInEvent) ?? []
  const buildings = inEvent.map(({ name }) => name)
  // where a live event could start, if there were no drill
  const mayRaise = site?.buildings.some(({ manageable }) => manageable) === true
  // an organisation whose people only ever leave has nothing to change
  const usesActions = eventTypes.some(({ action }) => action) || inEvent.some(({ action }) => action)
  const manageable = inEvent.filter((building) => building.manageable)
  const mayEnd = inEvent.length > 0 && manageable.length === inEvent.length
  return (
    <section aria-label="Current event" className="card flex items-start gap-3 border-l-8 border-l-red">
      <Siren aria-hidden className="mt-0.5 shrink-0 text-danger-ink" />
      <div className="min-w-0 flex-1">
        <h2 className="flex flex-wrap gap-x-2 text-lg leading-snug font-bold">
          {activeEvent.type}
          {activeEvent.kind === 'drill' && <strong className="drill-badge">DRILL</strong>}
        </h2>
        <p className="text-muted">{activeEvent.description}</p>
        {site && (
          <p className="mt-1 font-semibold">
            {site.name}: {buildings.join(', ')}
          </p>
        )}
        {mayEnd && <PackLink />}
        {mayEnd && <ObserversLink event={activeEvent.id} />}
        {usesActions && manageable.length > 0 && (
          <ChangeAction event={activeEvent.id} buildings={manageable} base={activeEvent.change ?? null} />
        )}
        {activeEvent.live && <LiveSeen {...activeEvent.live} />}
        {mayRaise && activeEvent.kind === 'drill' && (
          <MakeLive
            event={activeEvent.id}
            typeMessage={typeMessage}
            {...(!mayEnd && { why: `It becomes live in all its buildings: ${buildings.join(', ')}.` })}
          />
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

const PackLink = () => (
  <Link to="/event/pack" className="flex min-h-12 items-center gap-2 font-bold text-link underline">
    <FileText aria-hidden size={20} className="shrink-0" />
    Arrival pack
  </Link>
)

/** Observers of the event, by flag. */
function ObserversLink({ event }: { event: EventUid }) {
  if (!useAuth()?.module_access.Module_Event_Records) return null
  return (
    <Link
      to={`/event/records/${event}/observers`}
      className="flex min-h-12 items-center gap-2 font-bold text-link underline"
    >
      <UserPlus aria-hidden size={20} className="shrink-0" />
      Observers
    </Link>
  )
}
