import { type Action, actionCodes } from '#kernel/actions.ts'
import type { Fact, StatusRow } from './facts.queries.ts'

/** What floors have when people begin to do this. Null: to leave. */
export const firstOf = (statuses: readonly StatusRow[], action: Action | null) =>
  statuses.find((one) => one.isFirst && one.action === action)?.uid ?? ''

/** What an entry makes of its buildings. An entry that names nothing else lets people leave. */
export const actionOf = (after: Fact['after']): Action => actionCodes.find((one) => one === after?.action) ?? 'evacuate'

/** What the buildings did before a change: pairs of building and action. */
export const formerActions = (before: Fact['before']): Action[] =>
  (Array.isArray(before?.actions) ? before.actions : []).flatMap(
    (pair) => actionCodes.find((one) => Array.isArray(pair) && one === pair[1]) ?? [],
  )
