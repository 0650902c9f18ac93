import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePathname } from 'wouter/use-browser-location'
import type { BuildingUid } from '#kernel/ids.ts'
import type { AttendanceCounts } from '#kernel/vocabulary.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { navigate } from '#web/pages/navigate.ts'
import { useOwnSearch } from '#web/pages/own-search.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { NotOnDuty } from '#web/ui/not-on-duty.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { RoleWardens, Warden, WardensOnDuty } from '../../calls/attendance.ts'
import { wardensOnDutyQuery } from './attendance.data.ts'
import { AttendanceCounters, CountsLine } from './attendance-counters.tsx'
import { Expandable } from './expandable.tsx'
import { BroadcastLink, type Sender, WardenList } from './wardens.tsx'

const listed = ['counters', 'line', 'line', 'line'] as const

/** The wardens of a building by role. The address keeps the choice, so that it is there on the way back. */
export function WardensOnDutyScreen() {
  const chosen = new URLSearchParams(useOwnSearch()).get('building') as BuildingUid | null
  const wardens = useQuery({
    ...wardensOnDutyQuery(chosen),
    placeholderData: keepPreviousData,
  })
  const choose = (building: BuildingUid) => navigate(`/warden/onduty?building=${building}`, { replace: true })

  return (
    <Page>
      <WhenRead read={wardens} parts={['field', ...listed]}>
        {(data) =>
          'error' in data ? (
            <>
              <Nothing />
              <NotOnDuty reason={data.error} />
            </>
          ) : (
            <>
              <BuildingSelect data={data} chosen={wardens.isPlaceholderData ? chosen : null} onChoose={choose} />
              {wardens.isPlaceholderData ? (
                <Skeleton parts={listed} />
              ) : (
                <Roles data={data} asOf={wardens.dataUpdatedAt} />
              )}
            </>
          )
        }
      </WhenRead>
    </Page>
  )
}

const Nothing = () => <p className="py-8 text-center text-lg text-muted">No data found</p>

interface BuildingSelectProps {
  data: WardensOnDuty
  /** The one that is being loaded. */
  chosen: BuildingUid | null
  onChoose: (building: BuildingUid) => void
}

function BuildingSelect({ data: { buildings }, chosen, onChoose }: BuildingSelectProps) {
  return (
    <SelectField
      label="Building"
      value={chosen ?? buildings.find(({ selected }) => selected)?.id ?? ''}
      options={buildings.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChoose}
    />
  )
}

function Roles({ data, asOf }: { data: WardensOnDuty; asOf: number }) {
  const stale = useConnectionHealth().trouble !== null
  const total = data.buildings.find(({ selected }) => selected)?.total
  return (
    <>
      {total && (
        <div className="card">
          <AttendanceCounters
            counters={[
              { label: 'On Duty', value: total.on_duty, status: 'on_duty' },
              { label: 'Unknown', value: total.unknown, status: 'unknown' },
              { label: 'Not Avail.', value: notAvailable(total), status: 'not_available' },
            ]}
          />
        </div>
      )}
      <AsOf at={asOf} stale={stale} />
      {data.roles.length === 0 && <Nothing />}
      <ul aria-label="Roles" className="cards items-start gap-3">
        {data.roles.map((role) => (
          <Role key={role.id} role={role} sender={data} />
        ))}
      </ul>
    </>
  )
}

/** Who is off duty is not available either. */
const notAvailable = (total: AttendanceCounts) => total.not_available + total.off_duty

function Role({ role: { id, name, total, wardens }, sender }: { role: RoleWardens; sender: Sender }) {
  const [open, setOpen] = useKept(`/warden/onduty open ${id}`, false)
  const pathname = usePathname()
  const search = useOwnSearch()
  return (
    <Expandable
      heading="h2"
      title={name}
      summary={<CountsLine onDuty={total.on_duty} unknown={total.unknown} notAvailable={notAvailable(total)} />}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      <WardenList
        label={`Wardens, ${name}`}
        wardens={wardens}
        sender={sender}
        from={pathname + search}
        about={placesOf}
      />
      <BroadcastLink to={name} wardens={wardens} sender={sender} />
    </Expandable>
  )
}

const placesOf = ({ areas }: Warden) => areas.map(({ name }) => name).join(', ')
