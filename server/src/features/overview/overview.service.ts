import type { getOverview } from '@evac/contract/calls/console/overview.ts'
import type { CallAnswer } from '@evac/contract/route.ts'
import type { Administrator } from '../../administrators/administrator.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { presentSteps } from '../administration/administrators.service.ts'
import { sendsTexts } from '../administration/settings.service.ts'
import { countWithoutFloor } from '../people/people.service.ts'
import { countToReview } from '../plans/plans.service.ts'
import { countUncoveredToday } from '../wardens/coverage.service.ts'

/** What is open, and what is amiss within reach (C§9). */
export async function presentOverview(
  tx: Tx,
  administrator: Administrator,
  gateways: Config['smsGateways'],
): Promise<CallAnswer<typeof getOverview>> {
  const isWhole = administrator.reach.kind === 'organisation'
  return {
    steps: isWhole ? await presentSteps(tx, administrator) : null,
    floors_without_warden: await countUncoveredToday(tx, administrator),
    people_without_floor: await countWithoutFloor(tx, administrator),
    plans_to_review: administrator.seesPlans ? await countToReview(tx, administrator) : null,
    no_texts: isWhole ? await whyNoTexts(tx, administrator, gateways) : null,
  }
}

async function whyNoTexts(tx: Tx, { clientUid }: Administrator, gateways: Config['smsGateways']) {
  if (gateways.length === 0) return 'no provider'
  if (!(await sendsTexts(tx, clientUid))) return 'off'
  return gateways.includes('simulator') ? 'simulated' : null
}
