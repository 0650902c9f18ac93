import { type ActionGroup, groupOf } from '#kernel/actions.ts'
import type { Addressed } from '../find-page.queries.ts'

/**
 * How a page speaks: quiet if one of the buildings that it is of is, because it may be read there. Else to stay, if everyone
 * does.
 */
export function groupOfPage({ event }: Pick<Addressed, 'event'>): ActionGroup {
  const groups = (event?.doing ?? []).map(({ action, before = null }) => groupOf(action, before))
  if (groups.includes('quiet')) return 'quiet'
  return groups.length > 0 && groups.every((group) => group === 'stay') ? 'stay' : 'leave'
}
