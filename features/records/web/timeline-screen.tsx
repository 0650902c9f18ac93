import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strayWords } from '#features/log/words.ts'
import type { EventUid } from '#kernel/ids.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { navigate } from '#web/pages/navigate.ts'
import { useOwnSearch } from '#web/pages/own-search.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { EventRecord } from '../calls/record.ts'
import type { TimelineEntry } from '../calls/records.ts'
import { ofKind } from '../standing.ts'
import { CorrectionDialog } from './additions/correcting.tsx'
import './parts/styles.ts'
import { timesOf } from '../times.ts'
import { type ReadRecord, recordQuery, type TimelineFilter, timelineQuery } from './parts/records.data.ts'
import { Nothing, NotRead, Offline } from './parts/remarks.tsx'
import { KindBand } from './parts/signs.tsx'
import { Trouble } from './parts/trouble.tsx'
import { addressOf, useEventUid } from './parts/warden-or-console.tsx'
import { EntryList, EntryTable } from './timeline/entries.tsx'
import { readTimelineFilter, searchOf } from './timeline/timeline-filter.ts'
import { TimelineFilters } from './timeline/timeline-filters.tsx'

/** The journal of the event, in its order. */
export function TimelineScreen() {
  const event = useEventUid()
  const filter = readTimelineFilter(useOwnSearch())
  const { data: answer } = useQuery(recordQuery(event))
  const record = answer?.record ?? undefined
  return (
    <Page className="rec-page">
      <Trouble answer={answer} />
      <Offline />
      <div className="rec-sheets">
        <div className="rec-every">{record && <KindBand kind={record.kind} number={record.number} />}</div>
        <div className="rec-body grid grid-cols-1 gap-4">
          {record && <PrintedHead record={record} filter={filter} />}
          <div className="print:hidden">
            <TimelineFilters
              filter={filter}
              record={record}
              onChange={(next) => navigate(addressOf(`/${event}/timeline${searchOf(next)}`), { replace: true })}
            />
          </div>
          {record && <p className="text-sm text-muted">{timesOf(record).zone}</p>}
          <Entries event={event} answer={answer} />
        </div>
      </div>
    </Page>
  )
}

/** On paper: of which event this is, and which part of it. */
function PrintedHead({ record, filter }: { record: EventRecord; filter: TimelineFilter }) {
  const { person, floor, action, late, show } = filter
  const isPart = Boolean(person || floor || action || late)
  return (
    <div className="rec-print">
      <h1 className="text-2xl font-bold">
        Timeline: {record.type}, {record.site.name}
      </h1>
      <p>
        {timesOf(record).moment(record.started_at)} to {timesOf(record).moment(record.ended_at)}.{' '}
        {show === 'all' ? 'Everything' : 'Key moments'}
        {isPart && ', filtered'}.
      </p>
    </div>
  )
}

function Entries({ event, answer }: { event: EventUid; answer: ReadRecord | undefined }) {
  const list = useInfiniteQuery(timelineQuery(event, readTimelineFilter(useOwnSearch())))
  const [wrong, setWrong] = useState<TimelineEntry | null>(null)
  const isWide = useIsWide()
  const entries = list.data?.pages.flatMap((page) => page.entries)
  const leftOut = list.data?.pages.reduce((sum, page) => sum + (page.left_out ?? 0), 0) ?? 0
  if (!answer?.record || !entries)
    return list.isError ? <NotRead read={list} /> : <Skeleton parts={['line', 'line', 'line', 'line']} />
  const Rows = isWide ? EntryTable : EntryList
  return (
    <div className={list.isPlaceholderData ? 'sample grid grid-cols-1 gap-3' : 'grid grid-cols-1 gap-3'}>
      <NotRead read={list} />
      {leftOut > 0 && (
        <p role="alert" className="font-semibold text-warning-ink">
          {strayWords(leftOut)}
        </p>
      )}
      {entries.length === 0 ? (
        <Nothing>No entries match the filter.</Nothing>
      ) : (
        <Rows
          entries={entries}
          record={answer.record}
          corrections={ofKind(answer.additions, 'correction')}
          times={timesOf(answer.record)}
          onCorrect={setWrong}
        />
      )}
      {list.hasNextPage && (
        <Button variant="outline" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      {wrong && (
        <CorrectionDialog title="Correct this" event={event} of={{ entry: wrong.id }} onClose={() => setWrong(null)}>
          <p className="rec-words font-semibold">{wrong.what}</p>
        </CorrectionDialog>
      )}
    </div>
  )
}
