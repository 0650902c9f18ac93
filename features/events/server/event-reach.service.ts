import type { SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Actor } from '#server/wardens/actor.ts'
import { listManagedBuildings, type ManagedBuilding } from './event.queries.ts'

/** The caller's buildings. With a report-in link, only those of its event's site. */
export async function listReach(tx: Tx, { personUid, linkSignInUid, assignment }: Actor): Promise<ManagedBuilding[]> {
  const reach = await listManagedBuildings(tx, personUid)
  return linkSignInUid ? reach.filter(({ siteUid }) => siteUid === assignment?.siteUid) : reach
}

/** Anyone who may start events at the site. Throws `not_found`. */
export async function requireManagedSite(tx: Tx, actor: Actor, siteUid: SiteUid | undefined): Promise<void> {
  const reach = await listReach(tx, actor)
  if (!reach.some((building) => building.manageable && building.siteUid === siteUid)) throw new Refusal('not_found')
}
