import type { FloorData } from '@evac/contract/calls/evacuation.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { floorColour } from './floor-colours.ts'
import { type useChangeBuilding, type useChangeFloor, useSetFloorStatus } from './floor-place.data.ts'

interface PlaceSelectorsProps {
  data: FloorData
  floor: ReturnType<typeof useChangeFloor>
  building: ReturnType<typeof useChangeBuilding>
}

/** FLOOR-01: shows a choice at once and reverts it if it fails. */
export function PlaceSelectors({ data, floor, building }: PlaceSelectorsProps) {
  const shownBuilding = building.isPending ? building.variables : data.input.building
  const shownFloor = floor.isPending ? floor.variables : data.input.floor
  const floors = data.floors.filter((one) => one.building.id === shownBuilding)
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label="Building"
        value={shownBuilding}
        options={data.buildings.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={building.mutate}
      />
      <SelectField
        label="Floor"
        value={(building.isPending ? null : shownFloor) ?? ''}
        placeholder=""
        disabled={building.isPending}
        options={floors.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={floor.mutate}
      />
    </div>
  )
}

/** FLOOR-02, FLOOR-28, FLOOR-39: posts at once. Lists the statuses in use in order, and always the current one. */
export function FloorStatusSelect({ data, isChanging }: { data: FloorData; isChanging: boolean }) {
  const change = useSetFloorStatus()
  const { floor, status } = data.input
  const posted = change.isPending && change.variables.floorId === floor ? change.variables.floorStatusId : status
  const shown = isChanging ? null : posted
  const offered = data.floor_status
    .filter(({ id, label }) => label.inuse || id === status)
    .sort((a, b) => a.label.display_order - b.label.display_order)
  const { stripe } = floorColour(data.floor_status.find(({ id }) => id === shown)?.label.colour)
  return (
    <div className={`border-l-8 pl-3 ${stripe}`}>
      <SelectField
        label="Floor status"
        value={shown ?? ''}
        placeholder=""
        disabled={!floor || isChanging}
        options={offered.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(floorStatusId) => floor && change.mutate({ floorId: floor, floorStatusId })}
      />
    </div>
  )
}
