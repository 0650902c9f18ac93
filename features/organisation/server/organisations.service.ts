import { lockSite } from '#features/events/server/event.queries.ts'
import { listSitesOfEvents } from '#features/events/server/event-wardens.queries.ts'
import { revokeConsoleSessionsOf } from '#features/sign-in/server/console/console-session.queries.ts'
import { endSessionsOf } from '#features/sign-in/server/session.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { listSites, lockOrganisation, setActive, setMovedTo } from './organisations.queries.ts'

/** Sessions per transaction. A longer one would delay the real-time feed of all organisations. */
const mostSessions = 1_000

/**
 * Prevents sign-ins of the organisation, ends its sessions and sockets, and stops its texts. Deletes nothing. Refused
 * during an event unless `evenInEvent` is set. A repeat finishes an interrupted run.
 */
export async function suspend(
  system: Db,
  code: string,
  { evenInEvent }: { evenInEvent: boolean },
): Promise<'unknown' | 'event' | 'done'> {
  const found = await system.transaction().execute(async (tx) => {
    const organisation = await lockOrganisation(tx, code)
    if (!organisation) return 'unknown'
    // no event may start between the check and the change
    for (const siteUid of await listSites(tx, organisation.uid)) await lockSite(tx, siteUid)
    if (!evenInEvent && (await listSitesOfEvents(tx, organisation.uid)).length > 0) return 'event'
    await change(tx, organisation, false)
    return organisation
  })
  if (typeof found === 'string') return found
  await endSessions(system, found.uid)
  return 'done'
}

/** Signs everyone of the organisation out. */
export async function endSessions(system: Db, clientUid: ClientUid): Promise<void> {
  let ended = mostSessions
  while (ended === mostSessions)
    ended = await system.transaction().execute((tx) => endSessionsOf(tx, clientUid, mostSessions))
  await system.transaction().execute((tx) => revokeConsoleSessionsOf(tx, clientUid))
}

/** Allows sign-ins and texts again. `moved`: it has gone to another installation, and two copies would go on apart. */
export function resume(system: Db, code: string): Promise<'unknown' | 'moved' | 'done'> {
  return system.transaction().execute(async (tx) => {
    const organisation = await lockOrganisation(tx, code)
    if (!organisation) return 'unknown'
    if (organisation.movedTo !== null) return 'moved'
    await change(tx, organisation, true)
    return 'done'
  })
}

/**
 * Notes that a suspended organisation is at another installation now, whose address people are given. Null takes that back. `active`:
 * it is in use here. `event`: one still runs.
 */
export function noteMoved(
  system: Db,
  code: string,
  movedTo: string | null,
): Promise<'unknown' | 'active' | 'event' | 'done'> {
  return system.transaction().execute(async (tx) => {
    const organisation = await lockOrganisation(tx, code)
    if (!organisation) return 'unknown'
    const { uid } = organisation
    if (organisation.active) return 'active'
    if (movedTo !== null && (await listSitesOfEvents(tx, uid)).length > 0) return 'event'
    if (organisation.movedTo !== movedTo) await markMoved(tx, uid, movedTo)
    return 'done'
  })
}

/** It is at the installation with this address from now on, and suspended here. Null: at home here, still suspended. */
export async function markMoved(tx: Tx, uid: ClientUid, movedTo: string | null): Promise<void> {
  await setMovedTo(tx, uid, movedTo)
  await record(tx, unattended(uid), {
    action: movedTo === null ? 'organisation_moved_back' : 'organisation_moved',
    subjectType: 'organisation',
    subjectUid: uid,
    ...(movedTo !== null && { after: { to: movedTo } }),
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
