import type { Tx } from '../../platform/db/db.ts'
import type { Actor } from '../../wardens/actor.ts'
import { listManagedBuildings, type ManagedBuilding } from './event.queries.ts'

/** AMB-084: the caller's buildings. With a report-in link, only those of its event's site. */
export async function listReach(tx: Tx, { personUid, linkSignInUid, assignment }: Actor): Promise<ManagedBuilding[]> {
  const reach = await listManagedBuildings(tx, personUid)
  return linkSignInUid ? reach.filter(({ siteUid }) => siteUid === assignment?.siteUid) : reach
}
