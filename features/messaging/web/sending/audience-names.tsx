import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FilterSet } from '#features/evacuation/calls/safety.ts'
import { pathOf } from '#kernel/client/client.ts'
import { SmsRefused } from '#web/evacuees/sms-refused.tsx'
import { formatCount } from '#web/lib/counts.ts'
import { nextPageOf } from '#web/reads/people-pages.ts'
import { call } from '#web/session/api.ts'
import { Button } from '#web/ui/button.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'

const filterCall = 'POST /api/evacuee/safety/filter'

/** Names of the people whom the filters find, 20 a page. Nothing else of them is kept. */
const namesQuery = (filters: FilterSet) =>
  infiniteQueryOptions({
    queryKey: ['evacuee', 'group names', filters],
    initialPageParam: null as Record<string, string> | null,
    queryFn: async ({ pageParam, signal }) => {
      const { evacuees, pagination } = await call(filterCall, { query: pageParam ?? {}, body: filters }, { signal })
      return {
        next: nextPageOf(pagination.next_page_url, pathOf(filterCall)),
        people: evacuees.map(({ id, name, location, phone, sms_refused = false }) => {
          return { id, name, location, hasMobile: phone !== null, sms_refused }
        }),
      }
    },
    getNextPageParam: ({ next }) => next,
  })

/** 'see names', and the sheet with them. */
export function AudienceNames({ filters, people }: { filters: FilterSet; people: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="min-h-12 font-bold text-link underline" onClick={() => setOpen(true)}>
        see names
      </button>
      <BottomSheet
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`${formatCount(people)} ${people === 1 ? 'person' : 'people'}`}
      >
        {isOpen && <Names filters={filters} />}
      </BottomSheet>
    </>
  )
}

function Names({ filters }: { filters: FilterSet }) {
  const { data, isError, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(namesQuery(filters))
  if (!data)
    return isError ? (
      <TryAgain busy={isFetching} onPress={() => void refetch()} />
    ) : (
      <Skeleton parts={['line', 'line', 'line']} />
    )
  // Who moves between two pages while they are read stands in both.
  const people = new Map(data.pages.flatMap((page) => page.people.map((one) => [one.id, one])))
  return (
    <>
      <ul aria-label="People" className="grid">
        {[...people.values()].map(({ id, name, location, hasMobile, sms_refused }) => (
          <li key={id} className="border-b border-hairline py-2">
            <p className="font-bold">{name}</p>
            <p className="flex flex-wrap gap-x-3 text-muted">
              {location}
              {!hasMobile && <span className="font-bold text-danger-ink">No mobile number</span>}
              {sms_refused && <SmsRefused />}
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="outline" busy={isFetching} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}
