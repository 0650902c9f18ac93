import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, Circle, CircleCheck, CircleMinus, TriangleAlert } from 'lucide-react'
import type { CallAnswer } from '#kernel/route.ts'
import { count } from '#web/console/count.ts'
import { overviewQuery } from '#web/console/me.data.ts'
import { toastFailure } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import type { ConsolePath } from '#web/pages/pages.ts'
import { consoleCall, consoleSentence } from '#web/session/console-session.ts'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { getOverview, Step } from '../../calls/overview.ts'

/** The steps of the first days, in the order in which each rests on the one before. */
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
    title: 'Add your people',
    why: 'The people to account for, each on a floor.',
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
    why: 'So that no one has to type them during an event.',
  },
  {
    step: 'second_administrator',
    to: '/console/administrators',
    title: 'Appoint a second administrator',
    why: 'If one of you loses their phone, the other can let them in again.',
  },
] as const satisfies readonly { step: string; to: ConsolePath; title: string; why: string }[]

const putAside = (step: Step, aside: boolean) =>
  consoleCall('POST /api/console/overview/steps/:step', { params: { step }, body: { aside } })

interface OverviewPageProps {
  /** Whether the administrator has the page. Plans need the mark. */
  reaches: (path: ConsolePath) => boolean
}

/** What is amiss within reach, and for the whole organisation the steps of the first days. */
export function OverviewPage({ reaches }: OverviewPageProps) {
  const { data, error, refetch, isFetching } = useQuery(overviewQuery)
  if (error && !data)
    return (
      <>
        <Notice variant="danger">{consoleSentence(error)}</Notice>
        <TryAgain onPress={() => void refetch()} busy={isFetching} />
      </>
    )
  if (!data) return <Skeleton parts={['line']} />
  const warnings = warningsOf(data).filter(({ to, number }) => number > 0 && reaches(pathOf(to)))
  return (
    <>
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      {data.steps && <Steps done={data.steps} aside={data.steps_aside} reaches={reaches} />}
      {!data.steps && warnings.length === 0 && <p className="text-muted">Nothing is open.</p>}
    </>
  )
}

/** Someone must know it before the emergency. */
const whyNoTexts = {
  off: 'Texts are off: no one is texted when an event starts',
  'no provider': 'This server has no text provider: no one is texted when an event starts',
  simulated: "Texts go to this server's simulator: no one receives them",
}

interface Warning {
  number: number
  to: ConsolePath
  text: string
}

/** Each with its number, and where it is put right. */
function warningsOf(overview: CallAnswer<typeof getOverview>): Warning[] {
  const { floors_without_warden: floors, people_without_floor: people, plans_to_review: plans, no_texts } = overview
  return [
    { number: no_texts ? 1 : 0, to: '/console/settings', text: no_texts ? whyNoTexts[no_texts] : '' },
    {
      number: floors,
      to: '/console/wardens/coverage',
      text: `${countMost(floors, 'floor')} without a warden today`,
    },
    {
      number: people,
      to: '/console/people?place=none',
      text: `${countMost(people, 'person', 'people')} without a floor: not counted in any event`,
    },
    {
      number: plans ?? 0,
      to: '/console/plans?state=overdue',
      text: `${countMost(plans ?? 0, 'plan')} to review`,
    },
  ]
}

const mostCounted = 10_000
const countMost = (number: number, ...words: [string, string?]) =>
  count(Math.min(number, mostCounted), ...words).replace(' ', number > mostCounted ? '+ ' : ' ')

const pathOf = (to: ConsolePath) => to.split('?')[0] as ConsolePath

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <section aria-labelledby="warnings-title" className="grid gap-3">
      <h2 id="warnings-title" className="text-lg font-bold">
        To fix
      </h2>
      <ul className="grid gap-2">
        {warnings.map(({ to, text }) => (
          <li key={to}>
            <Link to={to} className="card console-choice flex items-center gap-3">
              <TriangleAlert aria-hidden className="shrink-0 text-warning-ink" />
              <span className="min-w-0 flex-1 font-semibold">{text}</span>
              <ChevronRight aria-hidden className="shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface StepsProps extends OverviewPageProps {
  done: NonNullable<CallAnswer<typeof getOverview>['steps']>
  aside: readonly Step[]
}

function Steps({ done, aside, reaches }: StepsProps) {
  const queryClient = useQueryClient()
  const { running, run } = useOneAction<Step>()
  const put = (step: Step, isAside: boolean) =>
    run(step, async () => {
      await putAside(step, isAside).catch(toastFailure)
      await queryClient.invalidateQueries({ queryKey: overviewQuery.queryKey })
    })
  return (
    <section aria-labelledby="steps-title" className="grid gap-3">
      <h2 id="steps-title" className="text-lg font-bold">
        First steps
      </h2>
      <ul className="grid gap-2">
        {steps
          .filter(({ to }) => reaches(to))
          .map(({ step, to, title, why }) => {
            const isDone = done[step]
            const isAside = !isDone && aside.includes(step)
            const Icon = isDone ? CircleCheck : isAside ? CircleMinus : Circle
            const word = isDone ? 'Done' : isAside && 'Not needed'
            const act = isAside ? 'Bring back' : 'We do not need this'
            return (
              <li key={step} className="card console-choice console-step">
                <Link to={to} className="flex items-center gap-3">
                  <Icon aria-hidden className={`shrink-0 ${isDone ? 'text-safe' : 'text-muted'}`} />
                  <span className="min-w-0 flex-1">
                    <span className={`block font-semibold ${isAside ? 'text-muted' : ''}`}>
                      {title} {word && <span className="ml-2 text-sm font-normal text-muted">{word}</span>}
                    </span>
                    {!word && <span className="block text-sm text-muted">{why}</span>}
                  </span>
                  <ChevronRight aria-hidden className="shrink-0 text-muted" />
                </Link>
                {!isDone && (
                  <button
                    type="button"
                    className="console-link"
                    aria-label={`${act}: ${title}`}
                    aria-busy={running === step || undefined}
                    onClick={() => void put(step, !isAside)}
                  >
                    {act}
                  </button>
                )}
              </li>
            )
          })}
      </ul>
    </section>
  )
}
