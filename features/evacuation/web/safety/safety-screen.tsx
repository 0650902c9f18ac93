import { useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useCallback, useEffect, useId, useState } from 'react'
import type { FloorUid } from '#kernel/ids.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import * as limits from '#kernel/limits.ts'
import type { StatusTotals } from '#kernel/vocabulary.ts'
import { evacueeWords, recordEvacuee } from '#web/evacuees/evacuee-records.ts'
import { LimitedSearch, ListRemark, MorePeople, PeopleFailed, PeopleList } from '#web/evacuees/people-list.tsx'
import { PersonPopups, usePersonPopups } from '#web/evacuees/person-popups.tsx'
import { useStatusRecords } from '#web/evacuees/safety-records.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { ScreenRecords } from '#web/outbox/screen-records.tsx'
import { dropQuery, navigate } from '#web/pages/navigate.ts'
import { useOwnSearch } from '#web/pages/own-search.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { NotOnDuty } from '#web/ui/not-on-duty.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { FilterSet, SafetyBuilding } from '../../calls/safety.ts'
import { areaWords, chooseFloors, everyone, isElsewhereToo, myArea, type Site, stillChosen } from './area-choice.ts'
import { AreasPanel } from './areas-panel.tsx'
import { countOf, DisplayBar } from './display-bar.tsx'
import { useEvacuees } from './evacuees.ts'
import { FilterMenu } from './filter-menu.tsx'
import { readMessageFilter, readPeople, searchOf } from './filters.ts'
import { ownFloorsQuery, safetyLists, safetyQuery } from './safety.data.ts'

/** Evacuees across areas, their status, and a message to all of them. */
export function SafetyScreen() {
  const { filters: wanted, typed, setTyped, change } = useFilters()
  const site = useQuery(safetyQuery)
  const filters = stillChosen(wanted, site.data?.buildings ?? [])
  usePeopleOfAddress(site.data?.buildings, (part) => {
    change(part)
    setTyped('')
  })
  const own = useQuery(ownFloorsQuery)
  const list = useEvacuees(filters, site.data !== undefined || filters !== defaultFilters)
  const records = useStatusRecords(recordEvacuee, evacueeWords)

  const [areasOpen, setAreasOpen] = useState(false)
  const areasId = useId()
  const popups = usePersonPopups()
  const closeAreas = useCallback(() => setAreasOpen(false), [])
  const hasMessages = useAuth()?.module_access.Module_My_Messages === true
  const { people } = list
  const areas: Site = { buildings: site.data?.buildings ?? [], own: new Set(own.data) }

  return (
    <Page className="relative">
      <FilterMenu
        filters={filters}
        onChange={change}
        areasOpen={areasOpen}
        onAreas={() => setAreasOpen(!areasOpen)}
        areasId={areasId}
      />
      {areasOpen && <AreasPanel id={areasId} choice={filters} site={areas} onChoose={change} onClose={closeAreas} />}
      <DisplayBar counts={list.counts} display={filters.display} onChange={(display) => change({ display })} />
      <SearchBox label="Search Evacuees" value={typed} onChange={setTyped} onRefresh={() => void list.refetch()} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ListFacts area={areaWords(filters, areas)} typed={typed} asOf={list.asOf} />
        <Broadcast
          filters={{ ...filters, search: searchOf(typed) }}
          count={filters.search === searchOf(typed) && !list.isLimited ? list.counts : undefined}
          smsAllowed={site.data?.sms_allowed === true}
          enabled={hasMessages && people !== undefined && people.length > 0}
        />
      </div>
      {list.isLimited && <LimitedSearch />}
      {people && (
        <PeopleList
          label="Evacuees"
          people={people}
          total={list.total}
          pending={records.people}
          words={evacueeWords}
          from="/evacuee/safety"
          canMessage={hasMessages}
          {...popups.actions}
        />
      )}
      {list.failed || (site.isLoadingError && !people) ? (
        <PeopleFailed onRetry={() => Promise.all([site.refetch(), list.refetch()])} />
      ) : (
        !people && <Skeleton />
      )}
      {people?.length === 0 && <ListRemark>{emptyText(list.error)}</ListRemark>}
      <NotOnDuty reason={list.error} />
      {people && list.hasMore && <MorePeople list={list} />}
      {people && !list.hasMore && isElsewhereToo(filters, areas) && (
        <Button variant="outline" onClick={() => change(everyone)}>
          Show unread from every floor
        </Button>
      )}
      <PersonPopups
        popups={popups}
        people={people}
        pending={records.people}
        words={evacueeWords}
        onStatus={records.setStatus}
      />
      <ScreenRecords lists={safetyLists} />
    </Page>
  )
}

const emptyText = (error: string | undefined) =>
  error === 'no_event' || error === 'not_on_duty' ? 'No Current Events' : 'No Evacuees found with the selected filters'

/** What is chosen, and what is typed; the search follows when the thumb rests. The banner's address sets the message filter. */
function useFilters() {
  const search = useOwnSearch()
  const [chosen, setChosen] = useKept<FilterSet>('/evacuee/safety filters', () => startFilters(search))
  const [typed, setTyped] = useKept('/evacuee/safety search', '')
  const applied = searchOf(useDebounced(typed, limits.searchDebounce))

  // The banner's address wins over what was kept, once.
  useEffect(() => {
    const message = readMessageFilter(search)
    if (!message) return
    setChosen((now) => ({ ...now, message }))
    dropQuery()
  }, [search, setChosen])

  const change = useCallback((part: Partial<FilterSet>) => setChosen((now) => ({ ...now, ...part })), [setChosen])
  const filters = applied ? { ...chosen, search: applied } : chosen
  return { filters, typed, setTyped, change }
}

function startFilters(search: string): FilterSet {
  const message = readMessageFilter(search)
  return message ? { ...defaultFilters, message } : defaultFilters
}

/** The people that the address names are chosen, once; from then on the filters say who is listed. */
function usePeopleOfAddress(
  buildings: readonly SafetyBuilding[] | undefined,
  change: (part: Partial<FilterSet>) => void,
) {
  const search = useOwnSearch()
  useEffect(() => {
    const { places, isEverywhere, ...wanted } = readPeople(search)
    if (!buildings || (places.size === 0 && !isEverywhere)) return
    const floors = buildings.flatMap(({ id, floors }) =>
      floors.filter((floor) => places.has(id) || places.has(floor.id)),
    )
    const site = { buildings, own: new Set<FloorUid>() }
    const area = isEverywhere
      ? everyone
      : chooseFloors(
          myArea,
          site,
          floors.map(({ id }) => id),
          true,
        )
    change({ ...defaultFilters, ...area, ...wanted })
    dropQuery()
  }, [search, buildings, change])
}

interface ListFactsProps {
  area: string
  typed: string
  asOf: number
}

function ListFacts({ area, typed, asOf }: ListFactsProps) {
  const stale = useConnectionHealth().trouble !== null
  const tooShort = typed.trim() !== '' && searchOf(typed) === ''
  return (
    <div className="min-w-fit">
      <h2 className="font-semibold">{area}</h2>
      {tooShort ? (
        <p className="text-sm text-muted">Type at least 3 characters to search.</p>
      ) : (
        <AsOf at={asOf} stale={stale} />
      )}
    </div>
  )
}
interface BroadcastProps {
  filters: FilterSet
  /** Whom the filters find. Undefined while that is not known. */
  count: StatusTotals | undefined
  smsAllowed: boolean
  /** There is someone to write to. */
  enabled: boolean
}

/** The search is what stands in the box, though the list waits for the thumb to rest. */
function Broadcast({ filters, count, smsAllowed, enabled }: BroadcastProps) {
  const open = () =>
    navigate('/message/evacueegroup', { state: { filters, searchText: filters.search, sms_allowed: smsAllowed } })
  return (
    <Button variant="outline" icon={Megaphone} disabled={!enabled || !smsAllowed} onClick={open}>
      Broadcast{enabled && count && ` to ${formatCount(countOf(count, filters.display))}`}
    </Button>
  )
}
