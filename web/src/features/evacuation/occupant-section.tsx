import type { PendingByPerson } from '../../outbox/outbox-overlay.ts'
import type { CardActions } from '../../people/occupant-card.tsx'
import { LimitedSearch, ListRemark, MorePeople, PeopleFailed, PeopleList } from '../../people/people-list.tsx'
import { floorWords } from '../../people/status-words.ts'
import { AsOf } from '../../ui/as-of.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { OccupantSearch } from './occupants.ts'

interface OccupantSectionProps extends CardActions {
  occupants: OccupantSearch
  pending: PendingByPerson
  stale: boolean
  canMessage: boolean
  /** True while another floor is being opened. These people are not its people. */
  isChanging: boolean
}

/** FLOOR-05: 'All Occupants' of the floor. A search covers the building (FLOOR-48). */
export function OccupantSection({
  occupants: { typed, setTyped, ...list },
  pending,
  stale,
  canMessage,
  isChanging,
  ...actions
}: OccupantSectionProps) {
  const people = isChanging ? undefined : list.people
  return (
    <Section title="All Occupants" count={people && !list.isLimited ? list.total : undefined} defaultOpen>
      <SearchBox label="Search Occupants" value={typed} onChange={setTyped} onRefresh={() => void list.refetch()} />
      <AsOf at={isChanging ? 0 : list.asOf} stale={stale} />
      {list.isLimited && <LimitedSearch />}
      {people && (
        <PeopleList
          label="All Occupants"
          people={people}
          total={list.isLimited ? undefined : list.total}
          pending={pending}
          words={floorWords}
          from="/floor/evacuation"
          canMessage={canMessage}
          {...actions}
        />
      )}
      {list.failed ? <PeopleFailed onRetry={list.refetch} /> : !people && <Skeleton />}
      {people?.length === 0 && <ListRemark>No Occupant Found..</ListRemark>}
      {people && people.length > 0 && !list.hasMore && <ListRemark>You have reached the end.</ListRemark>}
      {people && list.hasMore && <MorePeople list={list} />}
    </Section>
  )
}
