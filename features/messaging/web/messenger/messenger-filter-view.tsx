import { useQuery } from '@tanstack/react-query'
import { Megaphone, X } from 'lucide-react'
import { useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { attendanceLabel } from '#kernel/words.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { MessengerData, MessengerWarden } from '../../calls/messenger.ts'
import type { WardenGroupState } from '../sending/audience.ts'
import { FilterDropdown } from './filter-dropdown.tsx'
import { messengerListQuery } from './messenger.data.ts'
import {
  collapsed,
  type MessengerFilters,
  noFilters,
  statusChoices,
  toggled,
  toggledStatus,
} from './messenger-filters.ts'
import { listShape, MessengerList } from './messenger-list.tsx'

const statusOptions = statusChoices.map((id) => ({ id, name: attendanceLabel[id] }))

export function MessengerFilterView({ data }: { data: MessengerData }) {
  const [filters, setFilters] = useKept<MessengerFilters>('/message/all filters', noFilters)
  const [search, setSearch] = useKept('/message/all search', '')
  const [open, setOpen] = useState<string | null>(null)
  const searched = useDebounced(search.trim(), limits.searchDebounce)
  const list = useQuery(messengerListQuery(filters, searched))
  const stale = useConnectionHealth().trouble !== null

  const clear = () => {
    setFilters(noFilters)
    setSearch('')
    setOpen(null)
  }
  const dropdown = (name: string) => ({
    isOpen: open === name,
    onOpen: (wanted: boolean) => setOpen(wanted ? name : null),
  })
  const wardens = list.data?.messengerList
  return (
    <>
      <div className="grid gap-2">
        <div className="relative grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] items-start gap-2">
          <FilterDropdown
            label="Building(s)"
            choices={data.buildings}
            chosen={filters.buildings}
            onToggle={(id) =>
              setFilters({ ...filters, buildings: collapsed(toggled(filters.buildings, id), data.buildings.length) })
            }
            {...dropdown('buildings')}
          />
          <FilterDropdown
            label="Role(s)"
            choices={data.roles}
            chosen={filters.roles}
            onToggle={(id) =>
              setFilters({ ...filters, roles: collapsed(toggled(filters.roles, id), data.roles.length) })
            }
            {...dropdown('roles')}
          />
          <FilterDropdown
            label="Status"
            choices={statusOptions}
            chosen={filters.statuses}
            onToggle={(id) => setFilters({ ...filters, statuses: toggledStatus(filters.statuses, id) })}
            {...dropdown('status')}
          />
        </div>
        <SearchBox label="Search Wardens" value={search} onChange={setSearch} onRefresh={() => void list.refetch()} />
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-w-0 grow text-lg font-bold">
            Count: <span className="tabular-nums">{wardens?.length ?? '–'}</span>
          </p>
          <Button variant="outline" icon={X} onClick={clear}>
            Clear
          </Button>
          <Broadcast wardens={wardens ?? []} data={data} />
        </div>
        <AsOf at={list.dataUpdatedAt} stale={stale} />
      </div>
      {wardens ? (
        <MessengerList label="Wardens" wardens={wardens} from="/message/all" />
      ) : list.isError ? (
        <TryAgain busy={list.isFetching} onPress={() => void list.refetch()} />
      ) : (
        <Skeleton parts={listShape} />
      )}
    </>
  )
}

function Broadcast({ wardens, data }: { wardens: readonly MessengerWarden[]; data: MessengerData }) {
  if (wardens.length === 0)
    return (
      <Button icon={Megaphone} disabled>
        Broadcast
      </Button>
    )
  const state: WardenGroupState = {
    audience: wardens.map(({ id, name, wardenSignInUid, status }) => ({ id, name, wardenSignInUid, status })),
    senderWardenSignInUid: data.senderWardenSignInUid,
    sms_allowed: data.sms_allowed,
  }
  return (
    <Link to="/message/group" state={state} className={buttonClass('blue')}>
      <Megaphone aria-hidden className="shrink-0" />
      Broadcast
    </Link>
  )
}
