import type { FloorData } from '@evac/contract/calls/evacuation.ts'
import { useQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useConnectionHealth } from '../../live/connection-health.ts'
import { useAcknowledgedRecords } from '../../outbox/acknowledged-records.ts'
import { RejectedRecords } from '../../outbox/rejected-records.tsx'
import { useOutbox } from '../../outbox/use-outbox.ts'
import { type OpenPeep, PeepPopup } from '../../people/peep-popup.tsx'
import { type SheetPerson, StatusSheet } from '../../people/status-sheet.tsx'
import { floorWords } from '../../people/status-words.ts'
import { useAuth } from '../../session/stored-auth.ts'
import { EventName } from '../../ui/event-name.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ReadFailed } from '../../ui/read-failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
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
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(floorDataQuery)
  useAcknowledgedRecords(floorLists)
  const { rejected } = useOutbox()

  return (
    <Page className="relative">
      {data ? (
        'error' in data ? (
          <NoEvent reason={data.error} />
        ) : (
          <Floor data={data} asOf={dataUpdatedAt} onRefresh={refetch} />
        )
      ) : error ? (
        <ReadFailed error={error} onRetry={refetch} busy={isFetching} />
      ) : (
        <Skeleton />
      )}
      <RejectedRecords records={rejected} />
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

  const [chosen, setChosen] = useState<SheetPerson | null>(null)
  const [peep, setPeep] = useState<OpenPeep | null>(null)
  const closeSheet = useCallback(() => setChosen(null), [])
  // The floor may change by itself (AMB-107). An open sheet would then record the person on the new floor.
  const [shownFloor, setShownFloor] = useState(data.input.floor)
  if (shownFloor !== data.input.floor) {
    setShownFloor(data.input.floor)
    closeSheet()
  }
  const actions = { onStatus: setChosen, onPeep: setPeep, pending: records.people, stale }

  return (
    <>
      <EventName name={data.event.type} />
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
      <StatusSheet
        person={chosen}
        // only 'All Occupants' has refusals
        people={chosen?.reported === undefined ? data.peep : occupants.people}
        pending={records.people}
        words={floorWords}
        onStatus={records.setStatus}
        onRefusal={records.setRefusal}
        onClose={closeSheet}
      />
      <PeepPopup peep={peep} onClose={() => setPeep(null)} />
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
