import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import type { BoardPlaces } from '../../calls/board.ts'
import { type BuildingShown, buildingsOf, type FloorShown } from '../matrix/floors.ts'
import type { Picture } from '../reading/board-snapshot.ts'
import { FloorPanel, Left } from './floor-panel.tsx'
import type { Selection } from './selected-floor.ts'

interface PanelProps {
  picture: Picture
  selection: Selection | null
  now: number
  onSelect: (id: string) => void
}

const findFloor = (picture: Picture, id: string) => {
  for (const building of buildingsOf(picture)) {
    const shown = building.floors.find(({ place }) => place.id === id)
    if (shown) return { building, shown, told: toldOf(picture, shown) }
  }
  return undefined
}

/** The newest instruction counts for each floor while no floor of the board has one of its own. */
const toldOf = ({ board }: Picture, { floor, status }: FloorShown) =>
  floor.told ?? (status && !board.floors.some(({ told }) => told) ? board.instruction?.kind : undefined)

/** The panel below the list, on a desk. */
export function SidePanel({ picture, selection, now, onSelect, onBack }: PanelProps & { onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (selection?.takesFocus) heading.current?.focus()
  }, [selection])
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onBack()
  }
  const found = selection && findFloor(picture, selection.id)
  return (
    <section aria-labelledby="bd-panel" className="bd-panel bd-card" onKeyDown={handleKey}>
      <h2 id="bd-panel" tabIndex={-1} ref={heading}>
        {found ? nameOf(found.building, found.shown.place.name) : (selection?.name ?? 'Floor')}
      </h2>
      <ChooseFloor places={picture.places} value={found ? selection.id : ''} onSelect={onSelect} />
      {found && <FloorPanel {...found} now={now} />}
      {selection && !found && <Left />}
    </section>
  )
}

/** The same as a sheet, on a phone. */
export function PanelSheet({ picture, selection, now, onSelect, onClose }: PanelProps & { onClose: () => void }) {
  const found = selection && findFloor(picture, selection.id)
  return (
    <BottomSheet
      open={selection !== null}
      onClose={onClose}
      title={found ? nameOf(found.building, found.shown.place.name) : (selection?.name ?? '')}
    >
      <div className="bd-panel bd-sheet">
        <ChooseFloor places={picture.places} value={found ? selection.id : ''} onSelect={onSelect} />
        {found ? <FloorPanel {...found} now={now} /> : <Left />}
      </div>
    </BottomSheet>
  )
}

const nameOf = ({ place }: BuildingShown, floor: string) => `${place.name} · ${floor}`

interface ChooseFloorProps {
  places: BoardPlaces
  value: string
  onSelect: (id: string) => void
}

/** The small rows in full target size (WCAG 2.5.8). React compares its thousand options one by one, so it is drawn for new places alone. */
const ChooseFloor = memo(function ChooseFloor({ places, value, onSelect }: ChooseFloorProps) {
  return (
    <select
      aria-label="Choose a floor"
      className="bd-choose"
      value={value}
      onChange={(event) => onSelect(event.target.value)}
    >
      <option value="" disabled hidden>
        Choose a floor
      </option>
      {optionsOf(places)}
    </select>
  )
})

const optionsOf = ({ buildings }: BoardPlaces) =>
  buildings.map(({ id, name, floors }) => (
    <optgroup key={id} label={name}>
      {floors.map((floor) => (
        <option key={floor.id} value={floor.id}>
          {floor.name}
        </option>
      ))}
    </optgroup>
  ))
