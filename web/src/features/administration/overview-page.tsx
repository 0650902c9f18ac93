import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Circle, CircleCheck } from 'lucide-react'
import type { ConsolePath } from '../../pages/pages.ts'
import { consoleSentence } from '../../session/console-session.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { overviewQuery } from './administration.data.ts'

/** ORG-05: the steps of the first days, in the order in which each rests on the one before. */
const steps = [
  {
    step: 'places',
    to: '/console/places',
    title: 'Enter your places',
    why: 'Sites, buildings and floors: an event is started for a building.',
  },
  {
    step: 'people',
    to: '/console/people',
    title: 'Bring in your people',
    why: 'Who is to be accounted for, each on a floor.',
  },
  {
    step: 'wardens',
    to: '/console/wardens',
    title: 'Appoint wardens',
    why: 'Who may start an event, and who clears a floor.',
  },
  {
    step: 'plans',
    to: '/console/plans',
    title: 'Write plans',
    why: 'For those who need help to get out.',
  },
  {
    step: 'templates',
    to: '/console/lists/templates',
    title: 'Prepare messages',
    why: 'So that nobody types them during an event.',
  },
  {
    step: 'second_administrator',
    to: '/console/administrators',
    title: 'Appoint a second administrator',
    why: 'If one of you loses the phone, the other lets them in again.',
  },
] as const satisfies readonly { step: string; to: ConsolePath; title: string; why: string }[]

interface OverviewPageProps {
  hasSteps: boolean
  /** Whether the administrator has the page. Plans need the mark. */
  reaches: (path: ConsolePath) => boolean
}

/** What is open. Who reaches a part of the organisation has no steps. */
export function OverviewPage({ hasSteps, reaches }: OverviewPageProps) {
  return hasSteps ? <Steps reaches={reaches} /> : <p className="text-muted">Nothing is open.</p>
}

function Steps({ reaches }: Pick<OverviewPageProps, 'reaches'>) {
  const { data, error, refetch, isFetching } = useQuery(overviewQuery)
  if (error && !data)
    return (
      <>
        <Notice variant="danger">{consoleSentence(error)}</Notice>
        <TryAgain onPress={() => void refetch()} busy={isFetching} />
      </>
    )
  if (!data) return <Skeleton parts={['line']} />
  return (
    <section aria-labelledby="steps-title" className="grid gap-3">
      <h2 id="steps-title" className="text-lg font-bold">
        First steps
      </h2>
      <ul className="grid gap-2">
        {steps
          .filter(({ to }) => reaches(to))
          .map(({ step, to, title, why }) => {
            const isDone = data.steps[step]
            const Icon = isDone ? CircleCheck : Circle
            return (
              <li key={step}>
                <Link to={to} className="card console-choice flex items-center gap-3">
                  <Icon aria-hidden className={`shrink-0 ${isDone ? 'text-safe' : 'text-muted'}`} />
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold">
                      {title} {isDone && <span className="ml-2 text-sm font-normal text-muted">Done</span>}
                    </span>
                    {!isDone && <span className="block text-sm text-muted">{why}</span>}
                  </span>
                  <ChevronRight aria-hidden className="shrink-0 text-muted" />
                </Link>
              </li>
            )
          })}
      </ul>
    </section>
  )
}
