import { useQuery } from '@tanstack/react-query'
import { textStates } from '#kernel/kinds.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Section } from '#web/ui/section.tsx'
import type { EventTexts } from '../../calls/event-texts.ts'
import { eventTextsQuery, isSending, sum } from './event-texts.data.ts'
import { stateLook } from './state-look.ts'
import { UnreachedList } from './unreached-list.tsx'

/** What became of the event's texts, and whom to call instead; nothing while no event runs at the own site. */
export function EventTextsSection() {
  const { data, dataUpdatedAt } = useQuery(eventTextsQuery)
  const stale = useConnectionHealth().trouble !== null
  if (!data?.event) return null
  return (
    <Section title="Text messages" count={data.writing ? undefined : sum(data.counts)} defaultOpen>
      {sum(data.counts) === 0 && !data.writing ? (
        <p className="text-muted">No one has been texted.</p>
      ) : (
        <>
          <Progress texts={data} />
          <OverBudget count={data.over_budget} />
          <Counts texts={data} />
          <AsOf at={dataUpdatedAt} stale={stale} />
          <UnreachedList />
          <Link to="/event/reach?from=/event/management" className="btn w-full border-line text-link">
            Who has answered
          </Link>
        </>
      )}
    </Section>
  )
}

/** How many no longer wait; without an end while there are more to come. */
function Progress({ texts }: { texts: EventTexts }) {
  if (!isSending(texts)) return null
  const total = sum(texts.counts)
  const done = total - texts.counts.queued
  const words = texts.writing
    ? `${formatCount(done)} done, more are being prepared`
    : `${formatCount(done)} of ${formatCount(total)} done`
  return (
    <div className="grid gap-1">
      <progress aria-label="Sending texts" className="w-full" max={total} {...(!texts.writing && { value: done })} />
      <p className="font-semibold tabular-nums">{words}</p>
    </div>
  )
}

/** Nobody may believe that these were told. */
function OverBudget({ count }: { count: number }) {
  if (count === 0) return null
  const texts = count === 1 ? '1 text was' : `${formatCount(count)} texts were`
  return <Notice variant="danger">{texts} not sent: the text budget for today is used up. Call instead.</Notice>
}

function Counts({ texts: { counts } }: { texts: EventTexts }) {
  return (
    <dl className="grid gap-1">
      {textStates
        .filter((state) => counts[state] > 0)
        .map((state) => {
          const { icon: Icon, word, ink } = stateLook[state]
          return (
            <div key={state} className="flex items-center gap-2">
              <Icon aria-hidden size={20} className={`shrink-0 ${ink}`} />
              <dt className="flex-1">{word}</dt>
              <dd className="font-bold tabular-nums">{formatCount(counts[state])}</dd>
            </div>
          )
        })}
    </dl>
  )
}
