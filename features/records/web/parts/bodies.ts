import { dayIn } from '#web/console/zone-time.ts'
import type { RecordAction, RecordAddition } from '../../calls/additions.ts'
import { type Addition, actionsIn, ofKind } from '../../standing.ts'

interface Part<A> {
  /** The last sign-off before these. Null: they stand before any. */
  after: Addition<'sign_off'> | null
  additions: A[]
}

/** What was added later stands under the sign-off before it. */
export function bySignOff<A extends { recorded_at: string }>(
  additions: readonly A[],
  all: readonly RecordAddition[],
): Part<A>[] {
  const signOffs = ofKind(all, 'sign_off')
  const lastBefore = (at: string) => signOffs.findLast(({ recorded_at }) => recorded_at < at) ?? null
  const parts: Part<A>[] = []
  for (const addition of additions) {
    const after = lastBefore(addition.recorded_at)
    const last = parts.at(-1)
    if (last && last.after?.uid === after?.uid) last.additions.push(addition)
    else parts.push({ after, additions: [addition] })
  }
  return parts
}

/** An action and where it stands, as the page of actions gets it and as the additions of a record tell it. */
export type ShownAction = Pick<
  RecordAction,
  | 'uid'
  | 'event'
  | 'no'
  | 'what'
  | 'why'
  | 'priority'
  | 'owner'
  | 'due'
  | 'state'
  | 'base'
  | 'done_by_me'
  | 'mine'
  | 'due_in'
> & {
  steps?: readonly Addition<'action_step'>[]
}

const dayMs = 86_400_000

/** Days from today to the due day, both of the site. */
const daysUntil = (due: string, timeZone: string): number =>
  Math.round((Date.parse(due) - Date.parse(dayIn(timeZone))) / dayMs)

interface ActionsOf {
  event: RecordAction['event']
  additions: readonly RecordAddition[]
  timeZone: string
  /** The reader's person. */
  me: string | undefined
}

/** The actions of a record, as their page gets them. */
export const actionsOf = ({ event, additions, timeZone, me }: ActionsOf) =>
  actionsIn(additions).map(({ body, steps, ...action }) => ({
    ...body,
    ...action,
    steps,
    event,
    no: body.no ?? null,
    base: steps.at(-1)?.uid ?? action.uid,
    done_by_me: steps.findLast((step) => step.body.step === 'done')?.mine ?? false,
    mine: body.owner.person !== undefined && body.owner.person === me,
    due_in: daysUntil(body.due, timeZone),
  }))
