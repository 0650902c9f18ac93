import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useKept } from '#web/lib/tab-state.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { EventName } from '#web/ui/event-name.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { NotOnDuty } from '#web/ui/not-on-duty.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { BuildingStatus, FloorGap } from '../../calls/attendance.ts'
import { buildingStatusQuery, useChooseBuilding } from './attendance.data.ts'
import { AttendanceBar, AttendanceCounters, type Counter } from './attendance-counters.tsx'
import { FloorGroup, floorButtonId } from './floor-group.tsx'
import { Gaps } from './gaps.tsx'
import { SendLinks } from './send-links.tsx'

const listed = ['counters', 'line', 'line', 'line'] as const

export function FloorWardenStatusScreen() {
  const status = useQuery(buildingStatusQuery)

  return (
    <Page>
      <WhenRead read={status} parts={['field', ...listed]}>
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
  const { buildings, selected_building: building, gaps } = data
  const choose = useChooseBuilding()
  const [jump, setJump] = useState<FloorGap>()
  const stale = useConnectionHealth().trouble !== null
  const jumpTo = (gap: FloorGap) => {
    setJump({ ...gap })
    if (gap.building.id !== building.id) choose.mutate(gap.building.id)
  }
  return (
    <>
      <EventName event={building.event} />
      {/* The group of the whole building bears the building's own id; it is not a floor. */}
      {gaps && (gaps.length > 0 || building.floors.some((floor) => floor.id !== building.id)) && (
        <Gaps gaps={gaps} many={buildings.length > 1} onJump={jumpTo}>
          <SendLinks gaps={gaps} from={data.senderWardenSignInUid} />
        </Gaps>
      )}
      <SelectField
        label="Building"
        value={choose.isPending ? choose.variables : building.id}
        options={buildings.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => {
          setJump(undefined)
          choose.mutate(id)
        }}
      />
      {choose.isPending ? (
        <Skeleton parts={listed} />
      ) : (
        <Building key={building.id} data={data} asOf={asOf} stale={stale} jump={jump} />
      )}
    </>
  )
}

interface BuildingProps {
  data: BuildingStatus
  asOf: number
  stale: boolean
  /** The floor to be opened. A new object is a new press. */
  jump: FloorGap | undefined
}

function Building({ data, asOf, stale, jump }: BuildingProps) {
  const { id, wardens, floors } = data.selected_building
  const [open, setOpen] = useKept<readonly string[]>(`/floor/warden/status open ${id}`, [])
  const toggle = (floor: string) =>
    setOpen((before) => (before.includes(floor) ? before.filter((one) => one !== floor) : [...before, floor]))
  useEffect(() => {
    if (!jump) return
    setOpen((before) => [...before.filter((one) => one !== jump.id), jump.id])
    const button = document.getElementById(floorButtonId(jump.id))
    button?.scrollIntoView()
    button?.focus({ preventScroll: true })
  }, [jump, setOpen])
  const counters: Counter[] = [
    { label: 'On Duty', value: wardens.on_duty, status: 'on_duty' },
    { label: 'Unknown', value: wardens.unknown, status: 'unknown' },
    { label: 'Not Avail.', value: wardens.not_available, status: 'not_available' },
    { label: 'Off Duty', value: wardens.off_duty, status: 'off_duty' },
  ]
  return (
    <>
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
            open={open.includes(group.id)}
            onToggle={() => toggle(group.id)}
          />
        ))}
      </ul>
    </>
  )
}
