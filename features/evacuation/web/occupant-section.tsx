import { RefreshCw } from 'lucide-react'
import type { CardActions } from '#web/evacuees/occupant-card.tsx'
import { LimitedSearch, ListRemark, MorePeople, PeopleFailed, PeopleList } from '#web/evacuees/people-list.tsx'
import { floorWords } from '#web/evacuees/status-words.ts'
import type { Say } from '#web/live/response.ts'
import type { PendingByPerson } from '#web/outbox/outbox-overlay.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { OccupantSearch } from './occupants.ts'

interface OccupantSectionProps extends CardActions {
  say: Say
  occupants: OccupantSearch
  pending: PendingByPerson
  canMessage: boolean
  /** The place of the page. Cards leave it out. */
  place: string | undefined
  /** True while another floor is being opened. These people are not its people. */
  isChanging: boolean
}

/** 'All Occupants' of the floor. A search covers the building. */
export function OccupantSection({
  say,
  occupants: { typed, setTyped, search, missing, ...list },
  pending,
  canMessage,
  place,
  isChanging,
  ...actions
}: OccupantSectionProps) {
  const people = isChanging ? undefined : list.people
  return (
    <Section
      flat="basis-[8rem]"
      title="All Occupants"
      count={people && !list.isLimited ? list.total : undefined}
      defaultOpen
    >
      <div className="pin-bottom z-10 order-last grid gap-1.5 border-t border-hairline bg-canvas py-1">
        {people && missing && (
          <Button variant="outline" icon={RefreshCw} onClick={list.readAgain}>
            {missing.count} more {say(whoWords[missing.who ?? 'all'])}. Refresh the list
          </Button>
        )}
        <SearchBox label="Search Occupants" value={typed} onChange={setTyped} onRefresh={list.readAgain} />
      </div>
      {list.isLimited && <LimitedSearch />}
      {people && (
        <PeopleList
          label="All Occupants"
          people={people}
          total={list.isLimited ? undefined : list.total}
          pending={pending}
          words={floorWords}
          place={search ? undefined : place}
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

const whoWords = {
  all: 'on this floor',
  unknown: 'unknown',
  danger: 'in danger',
  unresolved: 'unknown or in danger',
  safe: 'safe',
  peep: 'with a PEEP',
}
