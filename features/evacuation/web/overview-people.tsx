import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { ListRemark, PeopleFailed, PeopleList } from '#web/evacuees/people-list.tsx'
import { PersonPopups, usePersonPopups } from '#web/evacuees/person-popups.tsx'
import { type StatusRecorder, useStatusRecords } from '#web/evacuees/safety-records.ts'
import { floorWords } from '#web/evacuees/status-words.ts'
import { onceEach } from '#web/reads/people-pages.ts'
import { useFreshView } from '#web/reads/use-fresh-view.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { overviewPeopleQuery, overviewRows, type WhichPeople } from './floor-overview.data.ts'

interface OverviewPeopleProps {
  which: WhichPeople
  label: string
  canMessage: boolean
  stale: boolean
}

/** A floor's people are recorded as on it, others as where they are. */
export function OverviewPeople({ which, label, canMessage, stale }: OverviewPeopleProps) {
  const list = useInfiniteQuery(overviewPeopleQuery(which))
  const asOf = useFreshView(list, overviewRows)
  const pages = list.data?.pages
  const people = useMemo(() => pages && onceEach(pages.flatMap(({ peeps }) => peeps)), [pages])
  const floor = 'floor' in which ? which.floor : null
  const toRecord = useCallback<StatusRecorder>(
    ({ id, name }, status) => ({
      kind: 'wardenStatus',
      body: { id, status, floor },
      wish: null,
      about: { id, name },
    }),
    [floor],
  )
  const records = useStatusRecords(toRecord, floorWords)
  const popups = usePersonPopups()

  if (list.isLoadingError) return <PeopleFailed onRetry={list.refetch} />
  if (!people) return <Skeleton parts={['person', 'person']} />
  return (
    <>
      <AsOf at={asOf} stale={stale} />
      {people.length === 0 && <ListRemark>No Occupant Found..</ListRemark>}
      <PeopleList
        label={label}
        people={people}
        total={pages?.[0]?.pagination.total}
        pending={records.people}
        words={floorWords}
        from="/floor/evacstatus"
        canMessage={canMessage}
        {...popups.actions}
      />
      {list.hasNextPage && (
        <Button
          variant="outline"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage({ cancelRefetch: false })}
        >
          Show more people
        </Button>
      )}
      <PersonPopups
        popups={popups}
        people={people}
        pending={records.people}
        words={floorWords}
        onStatus={records.setStatus}
      />
    </>
  )
}
