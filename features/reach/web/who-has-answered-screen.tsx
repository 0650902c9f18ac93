import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#web/lib/counts.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Page } from '#web/ui/page.tsx'
import { Section } from '#web/ui/section.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { ReachCount } from '../calls/reach.ts'
import type { ReachClass, ReachList } from '../kinds.ts'
import { classWords, listWords } from '../words.ts'
import { reachQuery } from './reach.data.ts'
import { ReachedPeople } from './reached-people.tsx'

/** Who was called, asked or written to, and who has answered, by what it was about. */
export function WhoHasAnsweredScreen() {
  const reach = useQuery(reachQuery)
  const stale = useConnectionHealth().trouble !== null || reach.isError
  return (
    <Page>
      <WhenRead read={reach} parts={['line', 'line', 'line']}>
        {({ event, classes }) =>
          event === null ? (
            <p className="py-6 text-center text-muted">There is no event at your site.</p>
          ) : (
            <>
              <AsOf at={reach.dataUpdatedAt} stale={stale} />
              {classes.length === 0 && <p className="py-6 text-center text-muted">No one has been asked anything.</p>}
              {classes.map((count) => (
                <OneClass key={count.class} count={count} />
              ))}
            </>
          )
        }
      </WhenRead>
    </Page>
  )
}

function OneClass({ count }: { count: ReachCount }) {
  const { class: reachClass, reached, trying, not_reached } = count
  const all = reached + trying + not_reached
  return (
    <section aria-label={classWords[reachClass]} className="card grid grid-cols-1 gap-3">
      <div>
        <h2 className="text-lg leading-snug font-bold">{classWords[reachClass]}</h2>
        <p className="font-semibold tabular-nums">{`Reached ${formatCount(reached)} of ${formatCount(all)}`}</p>
      </div>
      {not_reached > 0 && <List of={reachClass} list="not_reached" count={not_reached} />}
      {trying > 0 && <List of={reachClass} list="trying" count={trying} />}
      {reached > 0 && <List of={reachClass} list="reached" count={reached} />}
    </section>
  )
}

/** Those who were not reached are shown at once: someone has to call them. */
const List = ({ of, list, count }: { of: ReachClass; list: ReachList; count: number }) => (
  <Section title={listWords[list]} count={count} defaultOpen={list === 'not_reached'}>
    <ReachedPeople reachClass={of} list={list} />
  </Section>
)
