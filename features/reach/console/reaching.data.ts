import { queryOptions } from '@tanstack/react-query'
import type { CallOptions } from '#kernel/client/client.ts'
import type { GivenInput } from '#kernel/route.ts'
import { consoleCall } from '#web/session/console-session.ts'
import type { Reaching, saveReaching } from '../calls/reaching.ts'
import { type Choice, type Plan, plans, type ReachClass, reachClasses, type Step, type Way } from '../kinds.ts'

export const reachingQuery = queryOptions({
  queryKey: ['reaching'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/reaching', {}, { signal }),
})

export const save = (body: GivenInput<typeof saveReaching>['body'], options: CallOptions) =>
  consoleCall('POST /api/console/reaching', { body }, options)

/** The form: a class as its plan, or as its own steps 'text 0'. Limits as text, empty for none. */
export type ReachingValues = Record<ReachClass, readonly string[]> & { texts: string; calls: string }

export const stepText = ({ way, seconds }: Step): string => `${way} ${seconds}`

/** What can be read of a step in the form: seconds that are no whole number are left to the server's schema as -1. */
export function stepOf(text: string): Step {
  const [way = '', seconds = ''] = text.split(' ')
  return { way: way as Way, seconds: /^\d{1,4}$/.test(seconds) ? Number(seconds) : -1 }
}

/** The plan of a value. Undefined: own steps. */
export const planOf = (value: readonly string[]): Plan | undefined => plans.find((plan) => plan === value[0])

const formValueOf = (choice: Choice): readonly string[] =>
  typeof choice === 'string' ? [choice] : choice.map(stepText)
const choiceOf = (value: readonly string[]) => planOf(value) ?? value.map(stepOf)
const limitOf = (text: string) => (text === '' ? null : Number(text))

export function valuesOf({ plans: chosen, texts, calls }: Reaching): ReachingValues {
  const ofClass = Object.fromEntries(reachClasses.map((one) => [one, formValueOf(chosen[one])]))
  return {
    ...(ofClass as Record<ReachClass, readonly string[]>),
    texts: String(texts ?? ''),
    calls: String(calls ?? ''),
  }
}

export const inputOf = ({ texts, calls, ...values }: ReachingValues, version: string) => ({
  version,
  plans: {
    report_in: choiceOf(values.report_in),
    instruction: choiceOf(values.instruction),
    command: choiceOf(values.command),
    offer: choiceOf(values.offer),
    message: choiceOf(values.message),
    ask: choiceOf(values.ask),
  },
  texts: limitOf(texts),
  calls: limitOf(calls),
})
