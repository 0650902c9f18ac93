import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import * as limits from '#kernel/limits.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { Link } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './parts/styles.ts'
import { isOf, type RecordsFilter, recordsQuery } from './parts/records.data.ts'
import { Nothing, NotRead, Offline } from './parts/remarks.tsx'
import { addressOf } from './parts/warden-or-console.tsx'
import { DrillsDue } from './past/drills-due.tsx'
import { newestFirst, RecordCards, type RecordsOrder, RecordsTable } from './past/record-cards.tsx'
import { filterOf, nothingChosen, RecordFilters } from './past/record-filters.tsx'
import { Running } from './past/running.tsx'
import { Trends } from './past/trends.tsx'

/** Past events, what is due and how it has gone. */
export function RecordsScreen() {
  const [chosen, setChosen] = useKept('/event/records chosen', nothingChosen)
  const [typed, setTyped] = useKept('/event/records search', '')
  const [order, setOrder] = useKept('/event/records order', newestFirst)
  const isWide = useIsWide()
  const narrowed = filterOf(chosen, useDebounced(typed.trim(), limits.searchDebounce))
  const isNarrowed = Object.keys(narrowed).length > 0
  const isSorted = isWide && !(order.sort === newestFirst.sort && order.direction === newestFirst.direction)
  const filter = isSorted ? { ...narrowed, ...order } : narrowed
  const list = useInfiniteQuery(recordsQuery(filter))
  const client = useQueryClient()
  const refresh = () => void client.invalidateQueries(isOf('records', 'trends', 'drills due'))
  const { running = [], sites = [] } = list.data?.pages[0] ?? {}
  const tools = (
    <>
      <Offline />
      <div className="print:hidden">
        <SearchBox label="Search past events" value={typed} onChange={setTyped} onRefresh={refresh} />
      </div>
      <RecordFilters chosen={chosen} onChange={setChosen} sites={sites}>
        {!isWide && <ToActions />}
      </RecordFilters>
      <NotRead read={list} />
      <Running events={running} />
    </>
  )
  const records = <Records {...{ filter, isNarrowed, order }} onOrder={setOrder} />
  const trends = <Trends sites={sites} site={chosen.narrow.site} />
  return (
    <Page className="rec-page">
      {isWide ? (
        <div className="rec-two">
          <div className="grid grid-cols-1 gap-4">
            {tools}
            {records}
          </div>
          <div className="grid grid-cols-1 gap-4">
            <ToActions />
            <DrillsDue />
            {trends}
          </div>
        </div>
      ) : (
        <>
          {tools}
          <DrillsDue />
          {records}
          {trends}
        </>
      )}
    </Page>
  )
}

const ToActions = () => (
  <Link to={addressOf('/actions')} className={buttonClass('outline')}>
    <Wrench aria-hidden size={20} className="shrink-0" />
    Corrective Actions
  </Link>
)

interface RecordsProps {
  filter: RecordsFilter
  isNarrowed: boolean
  order: RecordsOrder
  onOrder: (order: RecordsOrder) => void
}

/** The pages of the list that there are. */
function Records({ filter, isNarrowed, order, onOrder }: RecordsProps) {
  const list = useInfiniteQuery(recordsQuery(filter))
  const isWide = useIsWide()
  if (!list.data) return list.isError ? null : <Skeleton parts={['card', 'card', 'card']} />
  const records = list.data.pages.flatMap((page) => page.records)
  if (records.length === 0)
    return (
      <Nothing>
        {isNarrowed
          ? 'No past events match the filter.'
          : 'No past events yet. The record of each event and drill appears here when it ends.'}
      </Nothing>
    )
  const asOf = <AsOf at={list.dataUpdatedAt} stale={list.isError} />
  return (
    <div className={list.isPlaceholderData ? 'sample grid grid-cols-1 gap-3' : 'grid grid-cols-1 gap-3'}>
      {isWide && asOf}
      {isWide ? <RecordsTable {...{ records, order, onOrder }} /> : <RecordCards records={records} />}
      {!isWide && asOf}
      {list.hasNextPage ? (
        <Button variant="outline" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      ) : (
        <p className="text-center text-muted">You have reached the end.</p>
      )}
    </div>
  )
}
