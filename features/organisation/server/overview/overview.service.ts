import { countUncoveredToday } from '#features/coverage/server/console/coming-days.service.ts'
import { countToReview } from '#features/peeps/server/plans.service.ts'
import { countWithoutFloor } from '#features/people/server/people.service.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import type { getOverview, putStepAside } from '../../calls/overview.ts'
import { sendsTexts } from '../settings/settings.service.ts'
import { countWholeAdministrators, findSteps, listStepsAside, updateStepsAside } from './overview.queries.ts'

/** What is open, and what is amiss within reach. */
export async function presentOverview(
  tx: Tx,
  administrator: Administrator,
  gateways: Config['smsGateways'],
): Promise<CallAnswer<typeof getOverview>> {
  const isWhole = administrator.reach.kind === 'organisation'
  return {
    steps: isWhole ? await presentSteps(tx, administrator) : null,
    steps_aside: isWhole ? await listStepsAside(tx, administrator.clientUid) : [],
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

/** Doing it twice is doing it once. */
export async function keepAside(
  tx: Tx,
  administrator: Administrator,
  { params: { step }, body: { aside } }: CallInput<typeof putStepAside>,
): Promise<CallAnswer<typeof putStepAside>> {
  const { clientUid } = administrator
  const before = await listStepsAside(tx, clientUid, { forChange: true })
  if (before.includes(step) === aside) return { steps_aside: before }
  const after = aside ? [...before, step] : before.filter((one) => one !== step)
  await updateStepsAside(tx, clientUid, after)
  await record(tx, journalAdministrator(administrator), {
    action: 'settings_changed',
    subjectType: 'organisation',
    subjectUid: clientUid,
    before: { steps_aside: before },
    after: { steps_aside: after },
  })
  return { steps_aside: after }
}

async function whyNoTexts(tx: Tx, { clientUid }: Administrator, gateways: Config['smsGateways']) {
  if (gateways.length === 0) return 'no provider'
  if (!(await sendsTexts(tx, clientUid))) return 'off'
  return gateways.includes('simulator') ? 'simulated' : null
}
