import type { PersonUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { OpenedPlan, openEventPlan } from '../../calls/plan-access.ts'
import { findPlan, oweNotices } from './open-peep.queries.ts'

/**
 * The caller answers after the commit, so no text leaves without its entry. A repeat is one more entry.
 * Unknown people, those of another event and those without a plan are one answer.
 */
export async function openPlan(
  tx: Tx,
  actor: DutyActor,
  personUid: PersonUid,
  { reason, whole }: CallInput<typeof openEventPlan>['body'],
): Promise<OpenedPlan> {
  const { clientUid, event } = actor
  const plan = await findPlan(tx, { clientUid, eventUid: event.uid, personUid })
  if (!plan) throw new Refusal('not_found')
  const isWhole = whole === 'yes'
  await record(tx, journalActor(actor), {
    action: 'plan_viewed',
    subjectType: 'person',
    subjectUid: personUid,
    eventUid: event.uid,
    after: { way: 'opened', reason, whole: isWhole },
  })
  await oweNotices(tx, { clientUid, eventUid: event.uid, people: [personUid] })
  const { assistance, disability, other } = plan
  return isWhole ? { assistance, disability, other } : { assistance }
}
