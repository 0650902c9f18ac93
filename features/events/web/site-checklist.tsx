import { Siren } from 'lucide-react'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import type { EventBuilding, EventSite } from '../calls/events.ts'
import { isInEvent, type Selection, selectedBuildings, toggleBuilding, toggleSite } from './selected-buildings.ts'

interface SiteChecklistProps {
  sites: readonly EventSite[]
  selection: Selection
  onChange: (selection: Selection) => void
}

/** The buildings, grouped by site. */
export function SiteChecklist({ sites, selection, onChange }: SiteChecklistProps) {
  return (
    <div className="grid content-start gap-3">
      {sites.map((site) => (
        <fieldset key={site.id} className="card min-w-0 p-1">
          <legend className="sr-only">{site.name}</legend>
          <SiteToggle site={site} selection={selection} onChange={onChange} />
          <div className="ml-4 border-l border-hairline pl-1">
            {site.buildings.map((building) => (
              <Checkbox
                key={building.id}
                label={<BuildingLabel building={building} />}
                checked={selection.includes(building.id)}
                disabled={!building.manageable}
                onChange={() => onChange(toggleBuilding(site, selection, building.id))}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}

function SiteToggle({ site, selection, onChange }: Omit<SiteChecklistProps, 'sites'> & { site: EventSite }) {
  const selected = selectedBuildings(site, selection).length
  const manageable = site.buildings.filter((building) => building.manageable).length
  return (
    <Checkbox
      label={<span className="text-lg font-bold">{site.name}</span>}
      checked={selected > 0 && selected === manageable}
      indeterminate={selected > 0 && selected < manageable}
      disabled={manageable === 0}
      onChange={() => onChange(toggleSite(site, selection))}
    />
  )
}

function BuildingLabel({ building }: { building: EventBuilding }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span>{building.name}</span>
      {isInEvent(building) && (
        <span className="flex max-w-full items-center gap-1 rounded-2xl bg-red px-2.5 py-0.5 text-sm font-bold wrap-anywhere text-on-red">
          <Siren aria-hidden size={16} className="shrink-0" />
          In event: {building.event?.type}
        </span>
      )}
      {!building.manageable && <span className="text-sm">Not in your area</span>}
    </span>
  )
}
