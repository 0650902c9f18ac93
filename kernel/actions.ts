/** What people of a building in an event do. This file has no schema, because the browser imports it. */

export const actionCodes = ['evacuate', 'move', 'shelter', 'hold', 'secure', 'lockdown', 'release'] as const
export type Action = (typeof actionCodes)[number]

/** What an event can begin with: all but the release from one of them. */
export const firstActions = ['evacuate', 'move', 'shelter', 'hold', 'secure', 'lockdown'] as const satisfies Action[]
export type FirstAction = (typeof firstActions)[number]

/** Actions with floor statuses of their own. Others use those of the organisation. */
export const statusActions = ['shelter', 'hold', 'secure', 'lockdown', 'release'] as const satisfies Action[]
export type StatusAction = (typeof statusActions)[number]

/** The action whose floor statuses are offered. Null: those of the organisation. */
export const statusActionOf = (action: Action): StatusAction | null =>
  statusActions.find((one) => one === action) ?? null

/** People leave; they stay where they are; or they stay and no phone may be heard. */
export type ActionGroup = 'leave' | 'stay' | 'quiet'

/** Characters of the place that people go to. */
export const whereLength = 60

const groups: Record<Exclude<Action, 'release'>, ActionGroup> = {
  evacuate: 'leave',
  move: 'leave',
  shelter: 'stay',
  hold: 'stay',
  secure: 'stay',
  lockdown: 'quiet',
}

/** The action with a place to go to. */
export const hasWhere = (action: Action): boolean => action === 'move' || action === 'shelter'

/** The group of a building. A release speaks like what it ends, and makes no one quiet. */
export function groupOf(action: Action, before: Action | null = null): ActionGroup {
  if (action !== 'release') return groups[action]
  const group = before && before !== 'release' ? groups[before] : 'leave'
  return group === 'quiet' ? 'stay' : group
}
