import type { getOverview } from '@evac/contract/calls/console/overview.ts'
import type { CallAnswer } from '@evac/contract/route.ts'
import type { Administrator } from '../../administrators/administrator.ts'
import type { Tx } from '../../platform/db/db.ts'
import { presentSteps } from '../administration/administrators.service.ts'
import { countWithoutFloor } from '../people/people.service.ts'
import { countToReview } from '../plans/plans.service.ts'
import { countUncoveredToday } from '../wardens/coverage.service.ts'

/** What is open, and what is amiss within reach (C§9). */
export async function presentOverview(tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof getOverview>> {
  return {
    steps: administrator.reach.kind === 'organisation' ? await presentSteps(tx, administrator) : null,
    floors_without_warden: await countUncoveredToday(tx, administrator),
    people_without_floor: await countWithoutFloor(tx, administrator),
    plans_to_review: administrator.seesPlans ? await countToReview(tx, administrator) : null,
  }
}
