import { useInfiniteQuery } from '@tanstack/react-query'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { overlay, type PendingByPerson } from '#web/outbox/outbox-overlay.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { AccountedPerson } from '../calls.ts'
import { AccountCard } from './account-card.tsx'
import { accountedQuery, type Wanted } from './accounting.data.ts'
import { Nothing, NotRead } from './contradiction-remarks.tsx'

interface AccountListProps {
  wanted: Wanted
  label: string
  pending: PendingByPerson
  onStatus: (person: AccountedPerson) => void
  onPlan: (person: AccountedPerson) => void
}

/** The people behind a number, 20 at a time as the page is scrolled. */
export function AccountList({ wanted, label, pending, onStatus, onPlan }: AccountListProps) {
  const list = useInfiniteQuery(accountedQuery(wanted))
  const stale = useConnectionHealth().trouble !== null || list.isError
  const first = list.data?.pages[0]
  if (!first) return list.isError ? <NotRead read={list} /> : <Skeleton />
  const moment = { at: first.at, readAt: list.dataUpdatedAt }
  const people = onceEach(list.data?.pages.flatMap((page) => page.people) ?? [])
  return (
    <>
      <NotRead read={list} />
      <AsOf at={list.dataUpdatedAt} stale={stale} />
      {people.length === 0 && <Nothing />}
      <ul
        // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
        role="list"
        aria-label={label}
        className="cards gap-2"
      >
        {people.map((person) => (
          <li key={person.id} className="row-lazy">
            <AccountCard
              person={overlay(person, pending)}
              moment={moment}
              onStatus={() => onStatus(person)}
              onPlan={() => onPlan(person)}
            />
          </li>
        ))}
      </ul>
      <LoadMore
        key={list.dataUpdatedAt}
        enabled={list.hasNextPage && !list.isFetching && !list.isFetchNextPageError}
        onNear={list.fetchNextPage}
      />
    </>
  )
}

/** Someone who moves between two pages while they are read stands in both. */
function onceEach(people: readonly AccountedPerson[]): readonly AccountedPerson[] {
  return [...new Map(people.map((person) => [person.id, person])).values()]
}
