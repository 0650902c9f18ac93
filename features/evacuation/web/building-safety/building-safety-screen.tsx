import { queryOptions, useQuery } from '@tanstack/react-query'
import { Building2, Timer } from 'lucide-react'
import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { safetyStatuses, statusShortLabel } from '#kernel/vocabulary.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { formatDuration } from '#web/lib/time/dates.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { type Say, useSayTotal } from '#web/live/response.ts'
import { call } from '#web/session/api.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { CountersSaid } from '#web/ui/counters-said.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { BuildingSafety, SafetySummary } from '../../calls/building-safety.ts'
import { SafetyCounts } from './safety-counts.tsx'

/** The key begins with the topic that makes real-time refetch it; the poll is for what comes without one. */
const safetySummaryQuery = queryOptions({
  queryKey: ['evacuee', 'building safety'],
  queryFn: ({ signal }) => call('GET /api/building/evacuation/data', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
  meta: { topics: ['event'] },
})

/** How many are safe, unknown and in danger, per building and at the whole site. */
export function BuildingSafetyScreen() {
  const { data, error, dataUpdatedAt, isFetching, fetchStatus, refetch } = useQuery(safetySummaryQuery)
  const isPaused = fetchStatus === 'paused'
  return (
    <Page>
      {data && 'site' in data && <Summary summary={data} asOf={dataUpdatedAt} />}
      {data && 'status' in data && <NoSummary reason={data.message} />}
      {!data && !error && (isPaused ? <Skeleton parts={[]} /> : <Sample />)}
      {!data && error && (
        <>
          <NoSummary reason={sentenceFor(error)} />
          <TryAgain onPress={() => void refetch()} busy={isFetching} />
        </>
      )}
    </Page>
  )
}

const totals = ({ total }: SafetySummary, say: Say) => [
  ...safetyStatuses.map((status) => [say(statusShortLabel[status]), total[status]] as const),
  ['Total', total.total] as const,
]

function Summary({ summary, asOf }: { summary: SafetySummary; asOf: number }) {
  const stale = useConnectionHealth().trouble !== null
  const since = Math.max(0, Math.floor((useNow(1000) - asOf) / 1000))
  return (
    <>
      <CountersSaid counters={totals(summary, useSayTotal())} />
      <SiteSummary summary={summary} />
      <AsOf at={asOf} stale={stale} />
      <BuildingList buildings={summary.buildings} since={since} />
    </>
  )
}

function SiteSummary({ summary: { site, total } }: { summary: SafetySummary }) {
  return (
    <section aria-label={`${site.name}, all buildings`} className="card grid grid-cols-1 gap-3">
      <h2 className="text-xl leading-tight font-bold">{site.name}</h2>
      <SafetyCounts caption={`${site.name}, all buildings`} stats={total} withShares />
    </section>
  )
}

interface BuildingListProps {
  buildings: readonly BuildingSafety[]
  since: number
  isSample?: boolean
}

function BuildingList({ buildings, since, isSample = false }: BuildingListProps) {
  return (
    <ul aria-label="Buildings" className="cards gap-4">
      {buildings.map(({ id, name, stats, duration }) => (
        <li
          key={id}
          className={`card grid grid-cols-1 content-start gap-3 ${stats.danger > 0 ? 'border-l-8 border-l-danger' : ''}`}
        >
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <h3 className="flex min-w-0 items-center gap-2 text-lg leading-snug font-bold">
              <Building2 aria-hidden size={20} className="shrink-0 text-muted" />
              <span>{name}</span>
            </h3>
            <Duration seconds={duration + since} />
          </div>
          <SafetyCounts caption={name} stats={stats} building={isSample ? undefined : id} />
        </li>
      ))}
    </ul>
  )
}

function Duration({ seconds }: { seconds: number }) {
  return (
    <p className="flex items-center gap-1.5 font-semibold">
      <Timer aria-hidden size={20} className="shrink-0 text-muted" />
      <span className="sr-only">Duration</span>
      <time dateTime={`PT${seconds}S`} className="tabular-nums">
        {formatDuration(seconds)}
      </time>
    </p>
  )
}

/** Never numbers; and when the reason is another one, it is told. */
function NoSummary({ reason }: { reason: string }) {
  const empty = 'No Current Events'
  return (
    <>
      <p className="py-8 text-center text-lg text-muted">{empty}</p>
      {reason !== empty && <Notice variant="warning">{reason}</Notice>}
    </>
  )
}

/** The shape of what is coming, which no one can take for numbers. */
function Sample() {
  return (
    <>
      <p role="status" className="text-muted">
        Loading...
      </p>
      <div aria-hidden data-sample className="sample relative grid gap-4">
        <SiteSummary summary={sample} />
        <BuildingList buildings={sample.buildings} since={0} isSample />
        <p className="absolute inset-0 grid place-content-center">
          <span className="rounded-xl border-4 border-line bg-surface px-4 text-2xl font-bold">Sample</span>
        </p>
      </div>
    </>
  )
}

const stats = { safe: 60, unknown: 30, danger: 10, total: 100 }

/** The initial state. It gives the layout, is drawn greyed as 'Sample', and never beside an answer. */
const sample: SafetySummary = {
  site: { id: 'sample' as SiteUid, name: 'Sample' },
  total: stats,
  buildings: [{ id: 'sample' as BuildingUid, name: 'Sample', stats, duration: 0 }],
}
