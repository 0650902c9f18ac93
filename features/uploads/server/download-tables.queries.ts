import { sql } from 'kysely'
import { asAdministrator } from '#features/authority/server/decide.ts'
import type { AdministratorUid, PersonUid } from '#kernel/ids.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { reachOf } from '#server/administrators/live-console-session.ts'
import { within } from '#server/administrators/reach.ts'
import type { Db } from '#server/platform/db/db.ts'

export type Grant = Pick<Administrator, 'clientUid' | 'reach' | 'seesPlans'>

/** A grant that has not ended, of someone who is in use. */
export async function findGrant(system: Db, uid: AdministratorUid): Promise<Grant | undefined> {
  const row = await system
    .selectFrom('administrator as g')
    .innerJoin('client as c', 'c.uid', 'g.clientUid')
    .innerJoin('person as p', (join) =>
      join.onRef('p.clientUid', '=', 'g.clientUid').onRef('p.uid', '=', 'g.personUid'),
    )
    .select(['g.clientUid', 'g.reach', 'g.siteUid', 'g.groupUid', 'g.seesPlans'])
    .where('g.uid', '=', uid)
    .where('g.revokedAt', 'is', null)
    .where('c.active', '=', true)
    .where('p.active', '=', true)
    .executeTakeFirst()
  return row && { ...row, reach: reachOf(row.reach as 'site', row.siteUid, row.groupUid) }
}

/** Uids of the people and assignments within reach, and of the people of these assignments. Null for all. */
export async function listReached(system: Db, { clientUid, reach }: Grant) {
  if (reach.kind === 'organisation') return { people: null, assignments: null, holders: null }
  const is = within({ clientUid, reach })
  const people = await sql<{ uid: string }>`
    select p.uid from person p where p.client_uid = ${clientUid} and ${is.person}`.execute(system)
  const assignments = await sql<{ uid: string; personUid: string }>`
    select a.uid, a.person_uid from warden_assignment a join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where a.client_uid = ${clientUid} and ${is.assignment}`.execute(system)
  const uids = ({ rows }: { rows: { uid: string }[] }) => new Set(rows.map(({ uid }) => uid))
  const holders = new Set(assignments.rows.map(({ personUid }) => personUid))
  return { people: uids(people), assignments: uids(assignments), holders }
}

/** The administrator of an upload, with the grant that they have while it is worked on. */
export const actingOf = (grant: Grant, personUid: PersonUid, isConfirmed: boolean) =>
  asAdministrator({ ...grant, personUid, isConfirmed })
