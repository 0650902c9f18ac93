import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { ScreenRecords } from '#web/outbox/screen-records.tsx'
import { useAuth } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { EventName } from '#web/ui/event-name.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { FloorOverview } from '../calls/floor-overview.ts'
import { overviewLists, overviewQuery } from './floor-overview.data.ts'
import { FloorlessRow, FloorRow } from './floor-row.tsx'
import { FloorStatusBar } from './floor-status-bar.tsx'
import { NoEvent } from './no-event.tsx'
import { OverviewPeople } from './overview-people.tsx'

/** All floors of the event with their status and people. */
export function OverviewScreen() {
  const [building, setBuilding] = useKept<BuildingUid | null>('/floor/evacstatus building', null)
  const overview = useQuery(overviewQuery(building))
  const client = useQueryClient()
  const refresh = () => {
    for (const queryKey of overviewLists.keys) void client.invalidateQueries({ queryKey })
  }

  return (
    <Page>
      <WhenRead read={overview} parts={['field', 'bar', 'field', 'line', 'line', 'line']}>
        {(data) =>
          'error' in data ? (
            <NoEvent reason={data.error} />
          ) : (
            <Overview
              data={data}
              building={building}
              onBuilding={setBuilding}
              asOf={overview.isPlaceholderData ? 0 : overview.dataUpdatedAt}
              onRefresh={refresh}
            />
          )
        }
      </WhenRead>
      <ScreenRecords lists={overviewLists} />
    </Page>
  )
}

interface OverviewProps {
  data: FloorOverview
  building: BuildingUid | null
  onBuilding: (building: BuildingUid | null) => void
  asOf: number
  onRefresh: () => void
}

function Overview({ data, building, onBuilding, asOf, onRefresh }: OverviewProps) {
  const [typed, setTyped] = useKept('/floor/evacstatus search', '')
  const search = useDebounced(typed.trim(), limits.searchDebounce)
  const stale = useConnectionHealth().trouble !== null
  const canMessage = useAuth()?.module_access.Module_My_Messages === true
  return (
    <>
      <EventName event={data.event} />
      <SelectField
        label="Building"
        value={data.buildings.find(({ id }) => id === building)?.id ?? 'all'}
        options={[
          { value: 'all', label: 'All buildings' },
          ...data.buildings.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) => onBuilding(value === 'all' ? null : value)}
      />
      <FloorStatusBar data={data} />
      <SearchBox label="Search Occupants" value={typed} onChange={setTyped} onRefresh={onRefresh} />
      <AsOf at={asOf} stale={stale} />
      {search ? (
        <OverviewPeople which={{ search }} label="Occupants found" canMessage={canMessage} stale={stale} />
      ) : (
        <Floors data={data} canMessage={canMessage} stale={stale} />
      )}
    </>
  )
}

interface FloorsProps {
  data: FloorOverview
  canMessage: boolean
  stale: boolean
}

/** One row is open at a time, with its people below it. */
function Floors({ data, canMessage, stale }: FloorsProps) {
  const [open, setOpen] = useKept<FloorUid | BuildingUid | null>('/floor/evacstatus open', null)
  const rowOf = (place: FloorUid | BuildingUid) => ({
    open: open === place,
    onToggle: () => setOpen(open === place ? null : place),
  })
  const shown = data.buildings.filter(
    ({ id }) =>
      data.floors.some(({ building }) => building.id === id) ||
      data.without_floor.some(({ building }) => building.id === id),
  )
  return shown.map(({ id, name }) => (
    <section key={id} aria-labelledby={`building-${id}`} className="grid gap-2">
      <h2 id={`building-${id}`} className="text-lg font-bold">
        {name}
      </h2>
      <ul className="cards items-start gap-2">
        {data.floors
          .filter(({ building }) => building.id === id)
          .map((floor) => (
            <FloorRow
              key={floor.id}
              floor={floor}
              status={data.floor_status.find((status) => status.id === floor.status)}
              {...rowOf(floor.id)}
            >
              <OverviewPeople
                which={{ floor: floor.id }}
                label={`Occupants of ${floor.name}`}
                canMessage={canMessage}
                stale={stale}
              />
            </FloorRow>
          ))}
        {data.without_floor
          .filter(({ building }) => building.id === id)
          .map((count) => (
            <FloorlessRow key="none" count={count} {...rowOf(id)}>
              <OverviewPeople
                which={{ floorless: id }}
                label={`Not on a floor of ${name}`}
                canMessage={canMessage}
                stale={stale}
              />
            </FloorlessRow>
          ))}
      </ul>
    </section>
  ))
}
