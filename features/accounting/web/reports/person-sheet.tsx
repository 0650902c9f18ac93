import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReportPerson, SelfReport } from '#features/self-report/calls.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import * as limits from '#kernel/limits.ts'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { call } from '#web/session/api.ts'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'

/** Of the people found nothing is kept but what the sheet shows. */
const foundQuery = (search: string) =>
  queryOptions({
    queryKey: ['evacuee', 'of a report', search],
    queryFn: async ({ signal }) => {
      const body = { ...defaultFilters, area: 'everyone' as const, search }
      const { evacuees, pagination } = await call('POST /api/evacuee/safety/filter', { query: {}, body }, { signal })
      const people = evacuees.map(({ id, name, location, status }): ReportPerson => ({ id, name, location, status }))
      return { people, isMore: pagination.next_page_url !== null }
    },
    meta: { private: true },
  })

interface PersonSheetProps {
  report: SelfReport | null
  /** Why it was not saved. */
  error: string | undefined
  onChoose: (report: SelfReport, person: ReportPerson) => void
  onClose: () => void
}

/** 'Other person'. Of a call for help the person is recorded as in danger. */
export function PersonSheet({ report, error, onChoose, onClose }: PersonSheetProps) {
  const title = report?.says === 'help' ? 'Who is in danger?' : 'Who is safe?'
  return (
    <BottomSheet open={report !== null} onClose={onClose} title={title}>
      {error && <Notice variant="danger">{error}</Notice>}
      {report && <Search key={report.uid} report={report} onChoose={(person) => onChoose(report, person)} />}
    </BottomSheet>
  )
}

function Search({ report, onChoose }: { report: SelfReport; onChoose: (person: ReportPerson) => void }) {
  const [text, setText] = useState(report.name?.slice(0, limits.searchLength) ?? '')
  const search = useDebounced(text.trim(), limits.searchDebounce)
  const isEnough = search.length >= limits.listLimits.evacueeSearchFrom
  const { data, isError, isFetching, refetch } = useQuery({ ...foundQuery(search), enabled: isEnough })
  return (
    <>
      <SearchBox label="Search Occupants" value={text} onChange={setText} />
      {!isEnough && (
        <p className="text-muted">Type at least {limits.listLimits.evacueeSearchFrom} letters of the name.</p>
      )}
      {isEnough && !data && !isError && <Skeleton parts={['line', 'line', 'line']} />}
      {isEnough && isError && <TryAgain busy={isFetching} onPress={() => void refetch()} />}
      {isEnough && data?.people.length === 0 && <p className="text-muted">No one found.</p>}
      <ul aria-label="People" className="grid gap-2">
        {isEnough &&
          data?.people.map((person) => (
            <li key={person.id}>
              <button
                type="button"
                className="btn min-h-17 w-full justify-between gap-2 border-line text-left"
                onClick={() => onChoose(person)}
              >
                <span className="min-w-0 wrap-anywhere">
                  <strong className="block">{person.name}</strong>
                  <span className="font-normal text-muted">{person.location}</span>
                </span>
                <StatusBadge status={person.status} />
              </button>
            </li>
          ))}
      </ul>
      {isEnough && data?.isMore && <p className="text-muted">There are more. Type more of the name.</p>}
    </>
  )
}
