import { type Action, actionCodes } from '#kernel/actions.ts'
import type { BuildingUid } from '#kernel/ids.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { Fact } from './facts.queries.ts'
import { actionOf } from './floors-of-actions.ts'

const tells = ['event_started', 'buildings_added', 'action_changed']

/** Each action in the order of time, its buildings by name. Undefined: everyone was to leave. */
export function actionsTold(
  facts: readonly Fact[],
  buildings: readonly { uid: BuildingUid; name: string }[],
): EventRecord['actions'] {
  const told = facts.filter(({ action }) => tells.includes(action))
  if (told.every(({ after }) => actionOf(after) === 'evacuate')) return undefined
  return told.map(({ recorded, before, after }) => {
    const own: readonly unknown[] = Array.isArray(after?.buildings) ? after.buildings : []
    const former = formerOf(before)
    return {
      seconds: Math.max(0, recorded),
      action: actionOf(after),
      ...(typeof after?.where === 'string' && { where: after.where }),
      buildings: buildings
        .filter(({ uid }) => own.includes(uid))
        .map(({ uid: id, name }) => {
          const was = former.get(id)
          return was ? { id, name, before: was } : { id, name }
        }),
    }
  })
}

/** What each building did before a change. */
const formerOf = (before: Fact['before']): ReadonlyMap<string, Action> =>
  new Map(
    (Array.isArray(before?.actions) ? before.actions : []).flatMap((pair) => {
      const [building, action] = Array.isArray(pair) ? pair : []
      const was = actionCodes.find((one) => one === action)
      return typeof building === 'string' && was ? [[building, was] as const] : []
    }),
  )
