import type { BuildingStatus, FloorWardenGroup } from '@evac/contract/calls/attendance.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConnectionHealth } from '../../live/connection-health.ts'
import { AsOf } from '../../ui/as-of.tsx'
import { EventName } from '../../ui/event-name.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { NotOnDuty } from '../../ui/not-on-duty.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WhenRead } from '../../ui/when-read.tsx'
import { buildingStatusQuery, useChooseBuilding } from './attendance.data.ts'
import { AttendanceBar, AttendanceCounters, type Counter } from './attendance-counters.tsx'
import { FloorGroup, floorButtonId } from './floor-group.tsx'
import { UncoveredFloors } from './uncovered-floors.tsx'

/** FWS-01..20: which floors have a warden. */
export function FloorWardenStatusScreen() {
  const status = useQuery(buildingStatusQuery)

  return (
    <Page>
      <WhenRead read={status}>
        {(data) =>
          'selected_building' in data ? (
            <Status data={data} asOf={status.dataUpdatedAt} />
          ) : (
            <>
              <EventName event={undefined} />
              <NotOnDuty reason={data.status} />
            </>
          )
        }
      </WhenRead>
    </Page>
  )
}

function Status({ data, asOf }: { data: BuildingStatus; asOf: number }) {
  const { buildings, selected_building: building } = data
  const choose = useChooseBuilding()
  const stale = useConnectionHealth().trouble !== null
  return (
    <>
      <EventName event={building.event} />
      <SelectField
        label="Building"
        value={choose.isPending ? choose.variables : building.id}
        options={buildings.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={choose.mutate}
      />
      {choose.isPending ? <Skeleton /> : <Building key={building.id} data={data} asOf={asOf} stale={stale} />}
    </>
  )
}

function Building({ data, asOf, stale }: { data: BuildingStatus; asOf: number; stale: boolean }) {
  const { id, wardens, floors } = data.selected_building
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (floor: string) =>
    setOpen((before) =>
      before.has(floor) ? new Set([...before].filter((one) => one !== floor)) : new Set([...before, floor]),
    )
  const jumpTo = (floor: FloorWardenGroup) => {
    setOpen((before) => new Set([...before, floor.id]))
    const button = document.getElementById(floorButtonId(floor.id))
    button?.scrollIntoView()
    button?.focus({ preventScroll: true })
  }
  const counters: Counter[] = [
    { label: 'On Duty', value: wardens.on_duty, status: 'on_duty' },
    { label: 'Unknown', value: wardens.unknown, status: 'unknown' },
    { label: 'Not Avail.', value: wardens.not_available, status: 'not_available' },
    { label: 'Off Duty', value: wardens.off_duty, status: 'off_duty' },
  ]
  return (
    <>
      {/* The group of the whole building bears the building's own id; it is not a floor (AMB-101). */}
      <UncoveredFloors floors={floors.filter((floor) => floor.id !== id)} onJump={jumpTo} />
      <div className="card grid gap-3">
        <AttendanceCounters counters={counters} total={wardens.total} />
        <AttendanceBar counters={counters} />
      </div>
      <AsOf at={asOf} stale={stale} />
      <ul aria-label="Floors" className="cards items-start gap-3">
        {floors.map((group) => (
          <FloorGroup
            key={group.id}
            group={group}
            sender={data}
            open={open.has(group.id)}
            onToggle={() => toggle(group.id)}
          />
        ))}
      </ul>
    </>
  )
}
