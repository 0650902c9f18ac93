import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { useLoadingWords } from '#web/lib/use-online.ts'
import { type Say, useSayTotal } from '#web/live/response.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { Unaccounted as UnaccountedPage } from '../calls/events.ts'
import { type MissingStatus, unaccountedQuery } from './events.data.ts'

/** More names would push the buttons off the screen of a phone. */
const named = 5

/** Who is not accounted for in the event that is about to end. */
export function Unaccounted({ event }: { event: EventUid }) {
  const [showsAll, setShowsAll] = useState(false)
  const loading = useLoadingWords()
  const say = useSayTotal()
  const danger = useInfiniteQuery(unaccountedQuery(event, 'danger'))
  const page = danger.data?.pages[0]
  if (danger.isLoadingError)
    return (
      <Notice variant="danger">
        The people not accounted for could not be loaded. Ask the wardens before you end it.
      </Notice>
    )
  if (!page) return <p role="status">{loading}</p>
  const { unknown, danger: inDanger } = page.counts
  if (unknown + inDanger + page.calls === 0)
    return (
      <p className="flex items-center gap-2 font-bold">
        <CircleCheck aria-hidden className="shrink-0 text-safe" />
        Everyone is accounted for
      </p>
    )
  return (
    <section aria-label="Not accounted for" className="grid gap-2 rounded-xl border-2 border-danger p-3">
      <h3 className="flex items-center gap-2 text-lg leading-snug font-bold">
        <TriangleAlert aria-hidden className="shrink-0 text-danger-ink" />
        {say(countsInWords(page))}
      </h3>
      {showsAll ? (
        <>
          {inDanger > 0 && <People event={event} status="danger" />}
          {unknown > 0 && <People event={event} status="unknown" />}
        </>
      ) : (
        <>
          {inDanger > 0 && <p>{namesOf(page, say)}</p>}
          {unknown + inDanger > 0 && (
            <Button variant="outline" onClick={() => setShowsAll(true)}>
              See all
            </Button>
          )}
        </>
      )}
      <AsOf at={danger.dataUpdatedAt} stale={danger.isRefetchError} />
    </section>
  )
}

const countsInWords = ({ counts: { unknown, danger }, calls }: UnaccountedPage) =>
  [
    unknown > 0 && `${unknown} unknown`,
    danger > 0 && `${danger} in danger`,
    calls > 0 && `${calls} open ${calls === 1 ? 'call' : 'calls'} for help`,
  ]
    .filter(Boolean)
    .join(', ')

function namesOf({ persons, counts }: UnaccountedPage, say: Say): string {
  const names = persons.slice(0, named).map(({ name }) => name)
  const more = counts.danger - names.length
  return `${say('In danger')}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const titles: Record<MissingStatus, string> = { danger: 'In danger', unknown: 'Unknown' }

function People({ event, status }: { event: EventUid; status: MissingStatus }) {
  const list = useInfiniteQuery(unaccountedQuery(event, status))
  const say = useSayTotal()
  const { icon: Icon, ink } = statusLook[status]
  const people = list.data?.pages.flatMap(({ persons }) => persons) ?? []
  return (
    <div className="grid gap-1">
      <h4 className="flex items-center gap-2 font-bold">
        <Icon aria-hidden size={20} className={`shrink-0 ${ink}`} />
        {say(titles[status])}
      </h4>
      <ul aria-label={say(titles[status])} className="grid gap-1">
        {people.map(({ id, name, location }) => (
          <li key={id}>
            <span className="font-semibold">{name}</span> <span className="text-sm text-muted">{location}</span>
          </li>
        ))}
      </ul>
      {list.isLoadingError && <Notice variant="danger">The people could not be loaded.</Notice>}
      {list.hasNextPage && (
        <Button variant="outline" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}
