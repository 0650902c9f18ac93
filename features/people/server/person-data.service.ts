import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { downloadPerson } from '../calls/person-data.ts'
import { getOrganisation, isReached } from './person.queries.ts'
import * as queries from './person-data.queries.ts'

/**
 * All that is kept about a person. The caller answers after the commit, so no answer leaves without its entry, and
 * keeps no reply: it may have the text of plans.
 */
export async function presentData(
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
  now: Date,
): Promise<CallAnswer<typeof downloadPerson>> {
  const { clientUid, seesPlans } = administrator
  if (!(await isReached(tx, clientUid, within(administrator), uid))) throw new Refusal('not_found')
  const { name } = await getOrganisation(tx, clientUid)
  const plans = seesPlans ? await queries.listPlans(tx, clientUid, uid) : null
  await record(tx, journalAdministrator(administrator), [
    { action: 'data_exported', subjectType: 'person', subjectUid: uid, after: { plans: plans !== null } },
    ...(plans?.length ? [{ action: 'plan_viewed', subjectType: 'person', subjectUid: uid } as const] : []),
  ])
  return {
    organisation: name,
    made_at: now.toISOString(),
    plans,
    ...(await queries.findKept(tx, clientUid, uid)),
  }
}
