import { sql } from 'kysely'
import { type Reach, reachOfAssignment, reachOfGrant } from '#features/records/server/record-access.service.ts'
import type { SiteUid } from '#kernel/ids.ts'
import { reachOf as reachOfColumns } from '#server/administrators/live-console-session.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { ActorAssignment } from '#server/wardens/actor.ts'
import { assignmentIsCurrent } from '#server/wardens/live-session.ts'
import type { Asker } from './exports.queries.ts'

type By = Omit<Asker, 'reach'>

/** What the asker of an export reaches now by the same assignment or grant. Undefined if that has ended. */
export async function findReachNow(system: Db, asker: By): Promise<Reach | undefined> {
  const assignment = await findAssignment(system, asker)
  if (assignment) return reachOfAssignment(system, asker.clientUid, assignment)
  const grant = await findGrant(system, asker)
  return grant && reachOfGrant({ ...grant, clientUid: asker.clientUid })
}

/** The row `p` of someone who may still sign in. */
const whoIsThere = sql`
  person p join account ac on ac.uid = p.account_uid and ac.active join client c on c.uid = p.client_uid and c.active`

/** With the flag still. */
async function findAssignment(system: Db, { clientUid, personUid, assignmentUid }: By) {
  const { rows } = await sql<Pick<ActorAssignment, 'uid' | 'siteUid' | 'areaDomain'>>`
    select a.uid, a.site_uid, r.area_domain
    from ${whoIsThere}
    join warden_assignment a on a.client_uid = p.client_uid and a.person_uid = p.uid and a.uid = ${assignmentUid}
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    left join event e on e.client_uid = a.client_uid and e.site_uid = a.site_uid and e.ended_at is null
    left join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid
      and si.assignment_uid = a.uid and si.closed_at is null
    where (p.client_uid, p.uid) = (${clientUid}, ${personUid}) and p.active
      and ${assignmentIsCurrent} and 'Event_Records' = any (r.modules)`.execute(system)
  return rows[0]
}

/** With a reach that has records still. */
async function findGrant(system: Db, { clientUid, personUid, administratorUid }: By) {
  const { rows } = await sql<{ reach: 'organisation' | 'site'; siteUid: SiteUid | null; seesPlans: boolean }>`
    select g.reach, g.site_uid, g.sees_plans
    from ${whoIsThere}
    join administrator g on g.client_uid = p.client_uid and g.person_uid = p.uid and g.uid = ${administratorUid}
    where (p.client_uid, p.uid) = (${clientUid}, ${personUid}) and p.active
      and g.revoked_at is null and g.reach <> 'group'`.execute(system)
  return rows.map(({ reach, siteUid, seesPlans }) => ({ reach: reachOfColumns(reach, siteUid, null), seesPlans }))[0]
}
