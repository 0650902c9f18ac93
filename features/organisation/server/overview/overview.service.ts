import { countUncoveredToday } from '#features/coverage/server/console/coming-days.service.ts'
import { countToReview } from '#features/peeps/server/plans.service.ts'
import { countWithoutFloor } from '#features/people/server/people.service.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { getOverview } from '../../calls/overview.ts'
import { sendsTexts } from '../settings/settings.service.ts'
import { countWholeAdministrators, findSteps } from './overview.queries.ts'

/** What is open, and what is amiss within reach. */
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

/** The steps of the first days. */
const presentSteps = async (tx: Tx, { clientUid }: Administrator) => ({
  ...(await findSteps(tx, clientUid)),
  second_administrator: (await countWholeAdministrators(tx, clientUid)) > 1,
})

async function whyNoTexts(tx: Tx, { clientUid }: Administrator, gateways: Config['smsGateways']) {
  if (gateways.length === 0) return 'no provider'
  if (!(await sendsTexts(tx, clientUid))) return 'off'
  return gateways.includes('simulator') ? 'simulated' : null
}
