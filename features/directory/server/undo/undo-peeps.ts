import type { Db } from '#server/platform/db/db.ts'
import { type JournalActor, record, unattended } from '#server/platform/db/journal.ts'
import * as queries from './undo.queries.ts'
import { type AppliedRow, type Chosen, changedSince } from './undo-rows.ts'

/** Plans of one transaction: each is up to four rows. */
const plansAtOnce = 500

/**
 * Ends the plans that an upload made, and makes those anew that it ended. Their text stays in the table of
 * plans. What someone has changed since stays, and is added to `left`.
 */
export async function undoPlans(
  session: Db,
  plans: Chosen['plans'],
  { clientUid, uploadUid, by }: { clientUid: string; uploadUid: string; by: JournalActor | undefined },
  left: Map<AppliedRow, string>,
): Promise<void> {
  for (let from = 0; from < plans.length; from += plansAtOnce) {
    const some = new Map(plans.slice(from, from + plansAtOnce).map((plan) => [plan.personUid, plan.of]))
    await session.transaction().execute(async (tx) => {
      const states = await queries.lockPlans(tx, clientUid, uploadUid, [...some.keys()])
      const ended: string[] = []
      const restored: string[] = []
      for (const state of states) {
        const of = some.get(state.personUid) as AppliedRow
        const step = stepOf(of.kind, state)
        if (typeof step === 'string') left.set(of, step)
        else {
          if (step.ends) ended.push(step.ends)
          if (step.restores) restored.push(step.restores)
        }
      }
      await queries.replacePlans(tx, clientUid, { ended, restored })
      const changed = states.filter(({ currentUid, formerUid }) =>
        [currentUid, formerUid].some((uid) => uid !== null && [...ended, ...restored].includes(uid)),
      )
      await record(
        tx,
        by ?? unattended(clientUid),
        by
          ? changed.map(({ personUid }) => ({ action: 'plan_changed', subjectType: 'person', subjectUid: personUid }))
          : [],
      )
    })
  }
}

interface Step {
  ends: string | null
  restores: string | null
}

/** What is to be done, or why the plan stays. A plan that was brought back is no former one any more. */
function stepOf(kind: AppliedRow['kind'], { currentUid, isMade, formerUid }: queries.PlanState): Step | string {
  if (isMade) {
    if (kind === 'changed' && !formerUid) return 'The previous plan has been deleted.'
    return { ends: currentUid, restores: formerUid }
  }
  if (kind === 'ended' && !currentUid && formerUid) return { ends: null, restores: formerUid }
  const isBack = kind === 'added' ? !currentUid : !formerUid && currentUid !== null
  if (isBack) return { ends: null, restores: null }
  return kind === 'ended' && !formerUid ? 'The previous plan has been deleted.' : changedSince
}
