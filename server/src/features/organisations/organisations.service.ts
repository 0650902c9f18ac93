import type { ClientUid } from '@evac/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { record, unattended } from '../../platform/db/journal.ts'
import { holdEventsOf, listSitesWithEvent } from '../events/event-wardens.service.ts'
import { endSessionsOf } from '../sign-in/session.service.ts'
import { listOrganisations, listSites, lockOrganisation, setActive } from './organisations.queries.ts'

/** A longer transaction holds back the real-time feed of every organisation (HUB-21). */
const mostSessions = 1_000

/**
 * Nobody of the organisation signs in any more, its sessions and sockets end, and its texts do not leave; nothing is
 * deleted. Refused while it has a running event. Repeating it ends what an earlier run left open.
 */
export async function suspend(
  system: Db,
  code: string,
  { evenInEvent }: { evenInEvent: boolean },
): Promise<'unknown' | 'event' | 'done'> {
  const found = await system.transaction().execute(async (tx) => {
    const organisation = await lockOrganisation(tx, code)
    if (!organisation) return 'unknown'
    // no event starts between the look and the change
    for (const siteUid of await listSites(tx, organisation.uid)) await holdEventsOf(tx, siteUid)
    if (!evenInEvent && (await listSitesWithEvent(tx, organisation.uid)).length > 0) return 'event'
    await change(tx, organisation, false)
    return organisation
  })
  if (typeof found === 'string') return found
  let ended = mostSessions
  while (ended === mostSessions)
    ended = await system.transaction().execute((tx) => endSessionsOf(tx, found.uid, mostSessions))
  return 'done'
}

export const listAll = (system: Db) => listOrganisations(system)

/** Its people sign in again, as before. */
export function resume(system: Db, code: string): Promise<'unknown' | 'done'> {
  return system.transaction().execute(async (tx) => {
    const organisation = await lockOrganisation(tx, code)
    if (!organisation) return 'unknown'
    await change(tx, organisation, true)
    return 'done'
  })
}

async function change(tx: Tx, { uid, active }: { uid: ClientUid; active: boolean }, wanted: boolean): Promise<void> {
  if (active === wanted) return
  await setActive(tx, uid, wanted)
  await record(tx, unattended(uid), {
    action: wanted ? 'organisation_resumed' : 'organisation_suspended',
    subjectType: 'organisation',
    subjectUid: uid,
  })
}
