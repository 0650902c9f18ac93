import type { SafetyBuilding } from '@evac/contract/calls/safety.ts'
import type { FloorUid } from '@evac/contract/ids.ts'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useCloseAfterChoice } from '../../lib/close-after-choice.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { type AreaChoice, chooseFloors, everyone, myArea, type Site, tickedFloors, tickOf } from './area-choice.ts'

interface AreasPanelProps {
  id: string
  choice: AreaChoice
  site: Site
  onChoose: (choice: AreaChoice) => void
  onClose: () => void
}

/** SAFE-09..14: which floors are listed. */
export function AreasPanel({ id, choice, site, onChoose, onClose }: AreasPanelProps) {
  const headingId = useId()
  const { panel, noteChoice, handleBlur, handleKeyDown } = useCloseAfterChoice(onClose)
  const ticked = tickedFloors(choice, site)
  const choose = (next: AreaChoice) => {
    onChoose(next)
    noteChoice()
  }
  const tick = (floors: readonly FloorUid[], wanted: boolean) => choose(chooseFloors(choice, site, floors, wanted))
  return (
    <section
      ref={panel}
      id={id}
      aria-labelledby={headingId}
      className="card grid gap-1"
      onBlur={handleBlur}
      onKeyDown={handleKeyDown}
    >
      <h2 id={headingId} className="px-2 text-lg font-bold">
        Select Building/Floors
      </h2>
      <Checkbox label="My Area" checked={choice.area === 'my area'} onChange={() => choose(myArea)} />
      {/* SAFE-11, AMB-020: there, yet not offered. */}
      <div hidden>
        <Checkbox label="All Buildings" checked={choice.area === 'everyone'} onChange={() => choose(everyone)} />
      </div>
      <ul className="grid gap-1">
        {site.buildings.map((building) => (
          <BuildingBoxes key={building.id} building={building} ticked={ticked} onTick={tick} />
        ))}
      </ul>
      {/* SAFE-14, AMB-020: a popup of all floors, which nothing opens. */}
      <dialog aria-label="Select Floors">
        <FloorBoxes floors={site.buildings.flatMap(({ floors }) => floors)} ticked={ticked} onTick={tick} />
      </dialog>
    </section>
  )
}

interface BuildingBoxesProps {
  building: SafetyBuilding
  ticked: ReadonlySet<FloorUid>
  onTick: (floors: readonly FloorUid[], wanted: boolean) => void
}

function BuildingBoxes({ building, ticked, onTick }: BuildingBoxesProps) {
  const { name, floors } = building
  const [open, setOpen] = useState(false)
  const floorsId = useId()
  const tick = tickOf(building, ticked)
  return (
    <li>
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <Checkbox
            label={
              <span className="font-semibold">
                {name} {tick === 'some' && <span className="text-muted">[...]</span>}
              </span>
            }
            checked={tick === 'all'}
            indeterminate={tick === 'some'}
            disabled={floors.length === 0}
            onChange={() =>
              onTick(
                floors.map(({ id }) => id),
                tick !== 'all',
              )
            }
          />
        </div>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? floorsId : undefined}
          aria-label={`Floors of ${name}`}
          className="btn btn-icon"
          onClick={() => setOpen(!open)}
        >
          <ChevronDown aria-hidden className={`transition-transform ${open ? 'rotate-180' : ''}`} />
        </button>
      </div>
      {open && <FloorBoxes id={floorsId} floors={floors} ticked={ticked} onTick={onTick} />}
    </li>
  )
}

interface FloorBoxesProps extends Omit<BuildingBoxesProps, 'building'> {
  id?: string
  floors: SafetyBuilding['floors']
}

function FloorBoxes({ id, floors, ticked, onTick }: FloorBoxesProps) {
  return (
    <ul id={id} className="pl-8">
      {floors.map((floor) => (
        <li key={floor.id}>
          <Checkbox
            label={floor.name}
            checked={ticked.has(floor.id)}
            onChange={(wanted) => onTick([floor.id], wanted)}
          />
        </li>
      ))}
    </ul>
  )
}
