import { useQuery } from '@tanstack/react-query'
import { Flag, TriangleAlert } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { PersonPopups, usePersonPopups } from '#web/evacuees/person-popups.tsx'
import { floorWords } from '#web/evacuees/status-words.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { type Say, useSayIn } from '#web/live/response.ts'
import { ScreenRecords } from '#web/outbox/screen-records.tsx'
import { useAuth } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { EventName } from '#web/ui/event-name.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { FloorData } from '../calls/evacuation.ts'
import { FloorCounters, useCountsWithPending } from './floor-counters.tsx'
import { floorDataQuery } from './floor-evacuation.data.ts'
import { floorLists } from './floor-lists.ts'
import { useChangeBuilding, useChangeFloor } from './floor-place.data.ts'
import { useFloorRecords } from './floor-records.ts'
import { NoEvent } from './no-event.tsx'
import { OccupantSection } from './occupant-section.tsx'
import { useOccupantSearch } from './occupants.ts'
import { PeepSection } from './peep-section.tsx'
import { FloorStatusSelect, PlaceSelectors } from './place-selectors.tsx'

/** A warden records who is on the floor and their status. */
export function FloorEvacuationScreen() {
  const floor = useQuery(floorDataQuery)

  return (
    <Page className="relative gap-1.5! pt-1.5!">
      <WhenRead read={floor} parts={['fields', 'counters', 'headings', 'person', 'person', 'person']}>
        {(data) =>
          'error' in data ? (
            <NoEvent reason={data.error} />
          ) : (
            <Floor data={data} asOf={floor.dataUpdatedAt} onRefresh={floor.refetch} />
          )
        }
      </WhenRead>
      <ScreenRecords lists={floorLists} />
    </Page>
  )
}

interface FloorProps {
  data: FloorData
  asOf: number
  onRefresh: () => unknown
}

function Floor({ data, asOf, onRefresh }: FloorProps) {
  const floor = useChangeFloor()
  const building = useChangeBuilding()
  const isChanging = floor.isPending || building.isPending
  const records = useFloorRecords(data.input.floor)
  const occupants = useOccupantSearch(data.input, records.people)
  const stale = useConnectionHealth().trouble !== null
  const canMessage = useAuth()?.module_access.Module_My_Messages === true

  const popups = usePersonPopups()
  // The floor may change by itself. An open sheet would then record the person on the new floor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closed when the floor changes
  useLayoutEffect(() => popups.closeSheet, [popups, data.input.floor])
  const known = useCountsWithPending(occupants.counts ?? data.counts, occupants.known, records.people)
  const counts = isChanging ? undefined : known
  const place = placeName(data)
  const say = useSayIn(data.input.building)
  const actions = { ...popups.actions, pending: records.people }

  return (
    <>
      <div className="flex flex-wrap gap-1.5">
        <PlaceSelectors data={data} floor={floor} building={building} />
        <FloorStatusSelect
          say={say}
          data={data}
          place={place}
          isChanging={isChanging}
          counts={counts}
          asOf={occupants.asOf}
          stale={stale}
          onShow={occupants.show}
        />
      </div>
      <FloorCounters
        say={say}
        counts={counts}
        peeps={isChanging ? undefined : data.peep.length}
        filter={occupants.filter}
        onFilter={occupants.show}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <EventName event={data.event} />
        {!isChanging && <RefusalCount say={say} value={data.refusal_to_evacuate} />}
        <AsOf at={isChanging ? 0 : occupants.asOf} stale={stale} />
        {place.length > shortPlace && <p className="w-full font-semibold">{place}</p>}
      </div>
      <p className="flex items-start gap-2 px-1 text-sm leading-tight font-semibold text-warning-ink">
        <TriangleAlert aria-hidden size={18} className="shrink-0" />
        {say('Only record the safety status of persons who will remain on this floor.')}
      </p>
      <div className="flex flex-wrap gap-1.5">
        <PeepSection
          people={isChanging ? undefined : data.peep}
          asOf={asOf}
          stale={stale}
          onRefresh={() => void onRefresh()}
          {...actions}
        />
        <OccupantSection
          say={say}
          occupants={occupants}
          place={place}
          canMessage={canMessage}
          isChanging={isChanging}
          {...actions}
        />
      </div>
      <PersonPopups
        popups={popups}
        people={occupants.people}
        peeps={data.peep}
        pending={records.people}
        words={floorWords}
        onStatus={records.setStatus}
        onRefusal={records.setRefusal}
      />
    </>
  )
}

/** The selects show shorter names of places whole. */
const shortPlace = 20

/** The place of the page, as the location of its people. */
function placeName({ input, floors }: FloorData): string {
  const floor = floors.find(({ id }) => id === input.floor)
  return floor ? `${floor.building.name} - ${floor.name}` : ''
}

function RefusalCount({ say, value }: { say: Say; value: number }) {
  return (
    <p className={`flex items-center gap-1 text-xs font-semibold tabular-nums ${value > 0 ? 'text-danger-ink' : ''}`}>
      {value > 0 && <Flag aria-hidden size={18} className="shrink-0" />}
      {`${say('Refusal to evacuate')}: ${value}`}
    </p>
  )
}
