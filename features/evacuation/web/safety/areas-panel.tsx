import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import type { FloorUid } from '#kernel/ids.ts'
import { useCloseAfterChoice, useCloseOutside } from '#web/lib/close-after-choice.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import type { SafetyBuilding } from '../../calls/safety.ts'
import { type AreaChoice, chooseFloors, everyone, myArea, type Site, tickedFloors, tickOf } from './area-choice.ts'

interface AreasPanelProps {
  id: string
  choice: AreaChoice
  site: Site
  onChoose: (choice: AreaChoice) => void
  onClose: () => void
}

/** Which floors are listed. Lies over the list and leaves filters, counters and Broadcast in sight. */
export function AreasPanel({ id, choice, site, onChoose, onClose }: AreasPanelProps) {
  const headingId = useId()
  const { panel, noteChoice, hold, panelProps } = useCloseAfterChoice(onClose)
  useCloseOutside(panel, onClose)
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
      className="card column fixed inset-x-0 bottom-0 z-20 grid max-h-[min(50dvh,28rem)] gap-1 overflow-y-auto overscroll-contain rounded-b-none border-line pb-[max(0.75rem,env(safe-area-inset-bottom))]"
      {...panelProps}
    >
      <h2 id={headingId} className="px-2 text-lg font-bold">
        Select Building/Floors
      </h2>
      <Checkbox label="My Area" checked={choice.area === 'my area'} onChange={() => choose(myArea)} />
      {/* There, yet not offered. */}
      <div hidden>
        <Checkbox label="All Buildings" checked={choice.area === 'everyone'} onChange={() => choose(everyone)} />
      </div>
      <ul className="grid gap-1">
        {site.buildings.map((building) => (
          <BuildingBoxes key={building.id} building={building} ticked={ticked} onTick={tick} onUnfold={hold} />
        ))}
      </ul>
      {/* A popup of all floors, which nothing opens. */}
      <dialog aria-label="Select Floors">
        <FloorBoxes floors={site.buildings.flatMap(({ floors }) => floors)} ticked={ticked} onTick={tick} />
      </dialog>
    </section>
  )
}

interface FloorsProps {
  ticked: ReadonlySet<FloorUid>
  onTick: (floors: readonly FloorUid[], wanted: boolean) => void
}
interface BuildingBoxesProps extends FloorsProps {
  building: SafetyBuilding
  /** Its floors have been asked for: a choice will follow. */
  onUnfold: () => void
}

function BuildingBoxes({ building, ticked, onTick, onUnfold }: BuildingBoxesProps) {
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
          onClick={() => {
            onUnfold()
            setOpen(!open)
          }}
        >
          <ChevronDown aria-hidden className={`transition-transform ${open ? 'rotate-180' : ''}`} />
        </button>
      </div>
      {open && <FloorBoxes id={floorsId} floors={floors} ticked={ticked} onTick={onTick} />}
    </li>
  )
}

interface FloorBoxesProps extends FloorsProps {
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
