import { Circle, CircleCheck, CircleCheckBig, type LucideIcon, RotateCcw } from 'lucide-react'
import { formatDate } from '#web/lib/time/dates.ts'
import type { Addition } from '../../standing.ts'
import type { ShownAction } from '../parts/bodies.ts'

type State = ShownAction['state']
export const stateLook: Record<State, { icon: LucideIcon; ink: string; word: string }> = {
  open: { icon: Circle, ink: 'text-link', word: 'Open' },
  reopened: { icon: RotateCcw, ink: 'text-warning-ink', word: 'Reopened' },
  done: { icon: CircleCheck, ink: 'text-safe', word: 'Done' },
  verified: { icon: CircleCheckBig, ink: 'text-safe', word: 'Verified' },
}
const isOpen = (state: State) => state === 'open' || state === 'reopened'

/** 'Due in 12 days'. Empty: nothing is left to be done. */
export function dueIn({ due_in, state }: Pick<ShownAction, 'due_in' | 'state'>): string {
  if (!isOpen(state)) return ''
  if (due_in === 0) return 'Due today'
  if (due_in === 1) return 'Due tomorrow'
  if (due_in > 1) return `Due in ${due_in} days`
  return `Overdue by ${-due_in} ${due_in === -1 ? 'day' : 'days'}`
}

/** 'Due in 12 days, 05 Dec 2026', or 'Was due 05 Dec 2026'. */
export const dueWords = (action: Pick<ShownAction, 'due' | 'due_in' | 'state'>): string =>
  isOpen(action.state) ? `${dueIn(action)}, ${formatDate(action.due)}` : `Was due ${formatDate(action.due)}`

export const isOverdue = ({ state, due_in }: Pick<ShownAction, 'state' | 'due_in'>) => isOpen(state) && due_in < 0

export type Step = Addition<'action_step'>['body']['step']
export const stepWord: Record<Step, string> = { done: 'Done', verified: 'Verified', reopened: 'Reopened' }
export const stepButton: Record<Step, string> = { done: 'Mark as done', verified: 'Verify', reopened: 'Reopen' }

/** What may follow. Who said that it is done cannot verify it. */
export function nextSteps({ state, done_by_me }: ShownAction): Step[] {
  if (isOpen(state)) return ['done']
  if (state === 'done') return done_by_me ? ['reopened'] : ['verified', 'reopened']
  return ['reopened']
}
