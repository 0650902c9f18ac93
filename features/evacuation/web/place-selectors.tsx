import { useState } from 'react'
import type { FloorStatusUid } from '#kernel/ids.ts'
import type { StatusTotals } from '#kernel/vocabulary.ts'
import { storeRecord } from '#web/evacuees/safety-records.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import type { Say } from '#web/live/response.ts'
import { useOutbox } from '#web/outbox/use-outbox.ts'
import { useLateFile } from '#web/pages/use-late-file.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import type { FloorData, FloorStatus } from '../calls/evacuation.ts'
import { floorColour } from './floor-colours.ts'
import type { FloorFilter } from './floor-evacuation.data.ts'
import type { useChangeBuilding, useChangeFloor } from './floor-place.data.ts'
import { honestName, leftFilter, UnresolvedMark, worstLeft } from './unresolved.tsx'

interface PlaceSelectorsProps {
  data: FloorData
  floor: ReturnType<typeof useChangeFloor>
  building: ReturnType<typeof useChangeBuilding>
}

/** Shows a choice at once and reverts it if it fails. */
export function PlaceSelectors({ data, floor, building }: PlaceSelectorsProps) {
  const shownBuilding = building.isPending ? building.variables : data.input.building
  const shownFloor = floor.isPending ? floor.variables : data.input.floor
  const floors = data.floors.filter((one) => one.building.id === shownBuilding)
  return (
    <>
      <SelectField
        compact
        label="Building"
        value={shownBuilding}
        options={data.buildings.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={building.mutate}
      />
      <SelectField
        compact
        label="Floor"
        value={(building.isPending ? null : shownFloor) ?? ''}
        placeholder=""
        disabled={building.isPending}
        options={floors.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={floor.mutate}
      />
    </>
  )
}

const loadAsk = () => import('./ask-status.tsx')

interface FloorStatusSelectProps {
  say: Say
  data: FloorData
  /** Building and floor. */
  place: string
  isChanging: boolean
  /** The people of the floor as the phone knows them, and since when. */
  counts: StatusTotals | undefined
  asOf: number
  stale: boolean
  /** Shows the people who are unknown or in danger instead. */
  onShow: (filter: FloorFilter) => void
}

/** Posts at once, and waits for signal. Lists the statuses in use in order, and always the current one. */
export function FloorStatusSelect({
  say,
  data,
  place,
  isChanging,
  counts,
  asOf,
  stale,
  onShow,
}: FloorStatusSelectProps) {
  const { pending } = useOutbox()
  const [asked, setAsked] = useState<FloorStatus | null>(null)
  const ask = useLateFile(loadAsk, asked !== null)
  const { floor, status } = data.input
  const waiting = pending.findLast((record) => record.about.id === floor)
  const posted = waiting?.kind === 'floorStatus' ? waiting.body.floorStatusId : status
  const shown = isChanging ? null : posted
  const offered = data.floor_status
    .filter(({ id, label }) => label.inuse || id === status)
    .sort((a, b) => a.label.display_order - b.label.display_order)
  const current = data.floor_status.find(({ id }) => id === shown)
  const worst = worstLeft(current, counts)
  const stripe = worst ? statusLook[worst].edge : `border-l-8 ${floorColour(current?.label.colour).stripe}`
  const set = ({ id, name }: FloorStatus) =>
    void storeRecord(
      floor && {
        kind: 'floorStatus',
        body: { floorId: floor, floorStatusId: id },
        wish: name,
        about: { id: floor, name: place },
      },
    )
  const choose = (id: FloorStatusUid) => {
    const next = offered.find((one) => one.id === id)
    if (!next) return
    if (worstLeft(next, counts)) setAsked(next)
    else set(next)
  }
  return (
    <>
      <div className={`grow-4 basis-[7.5rem] rounded-xl ${stripe}`}>
        <SelectField
          compact
          label="Floor status"
          value={shown ?? ''}
          placeholder=""
          disabled={!floor || isChanging}
          options={offered.map(({ id, name }) => ({
            value: id,
            label: waiting && id === posted ? `${name} (waiting)` : name,
          }))}
          onChange={choose}
        />
      </div>
      {worst && (
        <p className="flex w-full items-center gap-2 font-bold" data-unresolved={worst}>
          <UnresolvedMark worst={worst} />
          {say(honestName(current, counts))}
        </p>
      )}
      {ask && (
        <ask.AskStatus
          say={say}
          asked={asked}
          counts={counts}
          known={stale ? asOf : null}
          onSet={() => {
            setAsked(null)
            if (asked) set(asked)
          }}
          onShow={() => {
            setAsked(null)
            if (counts) onShow(leftFilter(counts))
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
