import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import { reachOf } from '#server/administrators/live-console-session.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { asAdministrator, decide } from './decide.ts'
import { readPower } from './power.queries.ts'

/**
 * May the link that an administrator has seen still be used? Only while they could show it: otherwise it would open a role that came
 * since, and that they may not give. Without a grant they could show none.
 */
export async function isStillTheirs(
  db: Db | Tx,
  { clientUid, personUid, byPersonUid }: { clientUid: ClientUid; personUid: PersonUid; byPersonUid: PersonUid },
  sends: { sendsMail: boolean },
): Promise<boolean> {
  const held = await readPower(db, clientUid, [personUid, byPersonUid])
  const [person, by] = [personUid, byPersonUid].map((uid) => held.find((one) => one.personUid === uid))
  if (!person || !by?.active || !by.grant) return false
  const { reach, siteUid, groupUid, seesPlans } = by.grant
  const acting = { clientUid, personUid: byPersonUid, seesPlans, isConfirmed: true }
  const actor = asAdministrator({ ...acting, reach: reachOf(reach, siteUid, groupUid) })
  return !decide(actor, 'show_invitation', person, sends).refusal
}
