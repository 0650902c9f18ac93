import { useQuery } from '@tanstack/react-query'
import { Accessibility } from 'lucide-react'
import { useId } from 'react'
import type { AssignmentUid } from '#kernel/ids.ts'
import { useLoadingWords } from '#web/lib/use-online.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { PeepEntry } from '../calls/assignments.ts'
import { peepsQuery } from './assignment.data.ts'

/** Whom the warden of this area would have to help. */
export function PeepList({ assignment }: { assignment: AssignmentUid }) {
  const loading = useLoadingWords()
  const { data, dataUpdatedAt, isPending, isError, isFetching, isRefetchError, refetch } = useQuery(
    peepsQuery(assignment),
  )
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-2">
      <h2 className="flex items-center gap-2 text-lg font-bold">
        <Accessibility aria-hidden className="shrink-0 text-link max-[360px]:hidden" />
        <span id={id} className="min-w-0 flex-1">
          PEEP confirmation list
        </span>
        {data && data.length > 0 && (
          <span className="shrink-0 rounded-full bg-raised px-3 py-0.5 text-base tabular-nums">{data.length}</span>
        )}
      </h2>
      {isPending && (
        <p role="status" className="card p-4 text-muted">
          {loading}
        </p>
      )}
      {isError && !data && <TryAgain busy={isFetching} onPress={() => void refetch()} />}
      {data?.length === 0 && <p className="card p-4">There are no PEEP's in your area.</p>}
      {data && data.length > 0 && <Entries entries={data} labelledBy={id} />}
      {data && <AsOf at={dataUpdatedAt} stale={isRefetchError} />}
    </section>
  )
}

/** Focusable, so that the keyboard can scroll it. */
function Entries({ entries, labelledBy }: { entries: readonly PeepEntry[]; labelledBy: string }) {
  return (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      aria-labelledby={labelledBy}
      className="h-[207px] divide-y divide-hairline overflow-y-auto overscroll-contain rounded-2xl border border-line bg-surface"
    >
      {entries.map(({ Person, PEEP_Floor, PEEP_Summary }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two people of a floor may share their name, and the list never moves
        <li key={place} className="px-4 py-3 leading-snug">
          <p className="text-lg font-bold">{Person}</p>
          <p className="text-muted">{PEEP_Floor}</p>
          {PEEP_Summary && <p className="mt-1 whitespace-pre-line">{PEEP_Summary}</p>}
        </li>
      ))}
    </ul>
  )
}
