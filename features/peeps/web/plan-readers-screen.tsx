import { queryOptions, useQuery } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import { formatCount } from '#web/lib/counts.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { call } from '#web/session/api.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { PlanReader } from '../calls/plan-access.ts'

/** An opening publishes nothing, so the list is polled. */
const readersQuery = queryOptions({
  queryKey: ['event', 'plan readers'],
  queryFn: ({ signal }) => call('GET /api/event/plans/readers', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
})

/** 'Who opened plans': readers and numbers, not persons. */
export function PlanReadersScreen() {
  const { data, error, refetch, isFetching, dataUpdatedAt, isError } = useQuery(readersQuery)
  const stale = useConnectionHealth().trouble !== null || isError
  return (
    <Page>
      {isError && (
        <>
          <Notice variant="danger">{data ? 'This could not be loaded. Try again.' : sentenceFor(error)}</Notice>
          <TryAgain onPress={() => void refetch()} busy={isFetching} />
        </>
      )}
      {!data && !isError && <Skeleton />}
      {data && (
        <>
          <AsOf at={dataUpdatedAt} stale={stale} />
          {data.readers.length === 0 && <p className="py-6 text-center text-muted">Nothing here.</p>}
          <ul
            // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
            role="list"
            aria-label="Readers"
            className="cards gap-2"
          >
            {data.readers.map((reader) => (
              <li key={`${reader.name} ${reader.role} ${reader.last_at}`} className="card wrap-anywhere">
                <h2 className="text-lg leading-snug font-bold">{reader.name}</h2>
                {reader.role && <p className="text-muted">{reader.role}</p>}
                <p className="font-semibold">{numbersOf(reader)}</p>
                <p className="text-muted">Last {formatMoment(new Date(reader.last_at))}</p>
              </li>
            ))}
          </ul>
          {data.more > 0 && <p className="text-muted">And {formatCount(data.more)} more.</p>}
          <p className="text-muted">
            Wardens read the plans of their own floor as part of their duty and are not counted. Everyone whose plan was
            opened is told after the event.
          </p>
        </>
      )}
    </Page>
  )
}

const plans = (count: number) => (count === 1 ? '1 plan' : `${formatCount(count)} plans`)

const numbersOf = ({ opened, listed }: PlanReader) =>
  [opened > 0 && `Opened ${plans(opened)}`, listed > 0 && `${opened > 0 ? 'read' : 'Read'} ${plans(listed)} in lists`]
    .filter(Boolean)
    .join(', ')
