import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Circle, CircleCheck } from 'lucide-react'
import type { ConsolePath } from '../../pages/pages.ts'
import { consoleSentence } from '../../session/console-session.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { overviewQuery } from './administration.data.ts'

/** ORG-05: the steps whose pages there are. */
const steps = [
  {
    step: 'second_administrator',
    to: '/console/administrators',
    title: 'Appoint a second administrator',
    why: 'If one of you loses the phone, the other lets them in again.',
  },
] as const satisfies readonly { step: string; to: ConsolePath; title: string; why: string }[]

/** What is open. Who reaches a part of the organisation has no steps. */
export function OverviewPage({ hasSteps }: { hasSteps: boolean }) {
  return hasSteps ? <Steps /> : <p className="text-muted">Nothing is open.</p>
}

function Steps() {
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
        {steps.map(({ step, to, title, why }) => {
          const isDone = data.steps[step]
          const Icon = isDone ? CircleCheck : Circle
          return (
            <li key={step}>
              <Link to={to} className="card console-choice flex items-center gap-3">
                <Icon aria-hidden className={`shrink-0 ${isDone ? 'text-safe' : 'text-muted'}`} />
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold">
                    {title}
                    {isDone && <span className="ml-2 text-sm font-normal text-muted">Done</span>}
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
