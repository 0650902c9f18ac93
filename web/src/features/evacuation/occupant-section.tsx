import type { Occupant } from '@evac/contract/evacuation.ts'
import { limits } from '@evac/contract/limits.ts'
import { memo, useState } from 'react'
import { overlay, type WaitingByPerson } from '../../lib/outbox-overlay.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { AsOf } from '../../ui/as-of.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Place } from './floor-evacuation.data.ts'
import { LoadMore } from './load-more.tsx'
import { type CardActions, OccupantCard } from './occupant-card.tsx'
import { useOccupants } from './occupants.ts'

interface OccupantSectionProps extends CardActions {
  place: Place
  waiting: WaitingByPerson
  stale: boolean
  canMessage: boolean
  /** Another floor is being opened: its people are not these. */
  isChanging: boolean
}

/** FLOOR-05: 'All Occupants' of the floor; a search looks through the building (FLOOR-48). */
export function OccupantSection({ place, waiting, stale, canMessage, isChanging, ...actions }: OccupantSectionProps) {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), limits.searchDebounce)
  const list = useOccupants(place, search)
  const people = isChanging ? undefined : list.people
  return (
    <Section title="All Occupants" count={people && !list.isLimited ? list.total : undefined} defaultOpen>
      <SearchBox label="Search Occupants" value={typed} onChange={setTyped} onRefresh={() => void list.refetch()} />
      <AsOf at={isChanging ? 0 : list.asOf} stale={stale} />
      {list.isLimited && (
        <Notice variant="warning">
          The search cannot reach the server. These are found among the people on this phone.
        </Notice>
      )}
      {people && <People people={people} waiting={waiting} canMessage={canMessage} {...actions} />}
      {list.failed ? <Failed onRetry={list.refetch} /> : !people && <Skeleton />}
      {people?.length === 0 && <Remark>No Occupant Found..</Remark>}
      {people && people.length > 0 && !list.hasMore && <Remark>You have reached the end.</Remark>}
      {people && list.hasMore && <More list={list} />}
    </Section>
  )
}

interface PeopleProps extends CardActions {
  people: readonly Occupant[]
  waiting: WaitingByPerson
  canMessage: boolean
}

/** Opening a sheet or typing a search leaves a thousand cards alone. */
const People = memo(function People({ people, waiting, ...card }: PeopleProps) {
  return (
    <ul aria-label="All Occupants" className="grid grid-cols-1 gap-3">
      {people.map((person) => (
        <OccupantCard key={person.evacuee_list_uid} person={overlay(person, waiting)} {...card} />
      ))}
    </ul>
  )
})

function More({ list }: { list: ReturnType<typeof useOccupants> }) {
  if (list.moreFailed && !list.isLoadingMore) return <Failed onRetry={list.loadMore} />
  return (
    <>
      <Remark>{list.isLoadingMore && 'Loading...'}</Remark>
      <LoadMore enabled={list.canLoadMore} onNear={list.loadMore} />
    </>
  )
}

function Remark({ children }: { children: string | false }) {
  return (
    <p role="status" className="min-h-12 py-3 text-center text-muted">
      {children}
    </p>
  )
}

function Failed({ onRetry }: { onRetry: () => unknown }) {
  return (
    <div className="grid gap-2">
      <Notice variant="danger">The people could not be loaded.</Notice>
      <Button variant="outline" onClick={() => void onRetry()}>
        Try again
      </Button>
    </div>
  )
}
