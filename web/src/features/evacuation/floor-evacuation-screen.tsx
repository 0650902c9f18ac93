import type { FloorData } from '@evac/contract/calls/evacuation.ts'
import { useQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { useConnectionHealth } from '../../live/connection-health.ts'
import { ScreenRecords } from '../../outbox/screen-records.tsx'
import { PersonPopups, usePersonPopups } from '../../people/person-popups.tsx'
import { floorWords } from '../../people/status-words.ts'
import { useAuth } from '../../session/stored-auth.ts'
import { EventName } from '../../ui/event-name.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { WhenRead } from '../../ui/when-read.tsx'
import { floorDataQuery } from './floor-evacuation.data.ts'
import { floorLists } from './floor-lists.ts'
import { useChangeBuilding, useChangeFloor } from './floor-place.data.ts'
import { useFloorRecords } from './floor-records.ts'
import { NoEvent } from './no-event.tsx'
import { OccupantSection } from './occupant-section.tsx'
import { useOccupantSearch } from './occupants.ts'
import { PeepSection } from './peep-section.tsx'
import { FloorStatusSelect, PlaceSelectors } from './place-selectors.tsx'

/** FLOOR-01..50: a warden records who is on the floor and their status. */
export function FloorEvacuationScreen() {
  const floor = useQuery(floorDataQuery)

  return (
    <Page className="relative">
      <WhenRead read={floor}>
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
  const occupants = useOccupantSearch(data.input)
  const stale = useConnectionHealth().trouble !== null
  const canMessage = useAuth()?.module_access.Module_My_Messages === true

  const popups = usePersonPopups()
  // The floor may change by itself (AMB-107). An open sheet would then record the person on the new floor.
  const [shownFloor, setShownFloor] = useState(data.input.floor)
  if (shownFloor !== data.input.floor) {
    setShownFloor(data.input.floor)
    popups.closeSheet()
  }
  const actions = { ...popups.actions, pending: records.people, stale }

  return (
    <>
      <EventName event={data.event} />
      <PlaceSelectors data={data} floor={floor} building={building} />
      <FloorStatusSelect data={data} isChanging={isChanging} />
      <Notice variant="warning">Only record the safety status of persons who will remain on this floor.</Notice>
      <PeepSection
        people={isChanging ? undefined : data.peep}
        asOf={asOf}
        onRefresh={() => void onRefresh()}
        {...actions}
      />
      {!isChanging && <RefusalCount value={data.refusal_to_evacuate} />}
      <OccupantSection occupants={occupants} canMessage={canMessage} isChanging={isChanging} {...actions} />
      <PersonPopups
        popups={popups}
        // only 'All Occupants' has refusals
        people={popups.chosen?.reported === undefined ? data.peep : occupants.people}
        pending={records.people}
        words={floorWords}
        onStatus={records.setStatus}
        onRefusal={records.setRefusal}
      />
    </>
  )
}

/** AMB-110. */
function RefusalCount({ value }: { value: number }) {
  return (
    <p className="-mb-2 flex items-center gap-2 px-1 font-semibold">
      <Flag aria-hidden size={20} className={`shrink-0 ${value > 0 ? 'text-danger-ink' : 'text-muted'}`} />
      <span className="tabular-nums">Refusal to evacuate: {value}</span>
    </p>
  )
}
