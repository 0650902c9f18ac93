import { useState } from 'react'
import type { FloorUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { type Chosen, chooseWave, isWave, toggle, waves } from './chosen-floors.ts'
import type { Places } from './instructions.data.ts'

interface FloorsPickerProps {
  places: Places
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
}

/** The floors that an instruction is for. Two presses make a wave: a floor, and how far around it. */
export function FloorsPicker({ places, chosen, onChoose }: FloorsPickerProps) {
  const all = places.flatMap(({ floors }) => floors.map(({ id }) => id))
  const isAll = all.length > 0 && all.every((floor) => chosen.has(floor))
  return (
    <fieldset className="card grid grid-cols-1 gap-3">
      <legend className="float-left mb-1 w-full text-lg font-bold">Floors</legend>
      <div className="flex flex-wrap gap-2">
        <Toggle isOn={isAll} onPress={() => onChoose(new Set(isAll ? [] : all))}>
          All floors
        </Toggle>
        {chosen.size > 0 && !isAll && (
          <Button variant="outline" onClick={() => onChoose(new Set())}>
            Choose none
          </Button>
        )}
      </div>
      {places.map((building) => (
        <BuildingFloors key={building.id} building={building} chosen={chosen} onChoose={onChoose} />
      ))}
    </fieldset>
  )
}

interface BuildingFloorsProps {
  building: Places[number]
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
}

function BuildingFloors({ building, chosen, onChoose }: BuildingFloorsProps) {
  const [pressed, setPressed] = useState<FloorUid>()
  const from = building.floors.find(({ id }) => id === pressed && chosen.has(id))
  const count = building.floors.filter(({ id }) => chosen.has(id)).length
  return (
    <section aria-label={building.name} className="grid grid-cols-1 gap-2 border-t border-hairline pt-3">
      <h3 className="flex justify-between gap-3 font-bold wrap-anywhere">
        {building.name}
        <span className="shrink-0 font-normal text-muted tabular-nums">
          {count} of {building.floors.length}
        </span>
      </h3>
      <div className="flex max-h-80 flex-wrap gap-2 overflow-y-auto p-0.5">
        {building.floors.toReversed().map(({ id, name }) => (
          <Toggle
            key={id}
            isOn={chosen.has(id)}
            onPress={() => {
              setPressed(id)
              onChoose(toggle(chosen, id))
            }}
          >
            {name}
          </Toggle>
        ))}
      </div>
      {from && building.floors.length > 1 && (
        <fieldset className="flex flex-wrap items-center gap-2 rounded-xl bg-raised p-2">
          <legend className="sr-only">Around {from.name}</legend>
          <span className="w-full text-sm font-semibold">Around {from.name}</span>
          {waves.map((wave) => (
            <Toggle
              key={wave.name}
              isOn={isWave(chosen, building, from.id, wave)}
              onPress={() => onChoose(chooseWave(chosen, building, from.id, wave))}
            >
              {wave.name}
            </Toggle>
          ))}
        </fieldset>
      )}
    </section>
  )
}

function Toggle({ isOn, onPress, children }: { isOn: boolean; onPress: () => void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className={`btn px-3 ${isOn ? 'bg-link text-canvas forced-colors:bg-[Highlight]' : 'border-line bg-surface text-link'}`}
      onClick={onPress}
    >
      {children}
    </button>
  )
}
