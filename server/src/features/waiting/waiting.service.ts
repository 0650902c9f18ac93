import type { getNow } from '@evac/contract/calls/console/waiting.ts'
import type { AssignmentUid, ClientUid, PersonUid, WaitingUid } from '@evac/contract/ids.ts'
import type { CallAnswer } from '@evac/contract/route.ts'
import { type Administrator, journalAdministrator } from '../../administrators/administrator.ts'
import { within } from '../../administrators/reach.ts'
import { type Db, inClients, type Tx } from '../../platform/db/db.ts'
import { type JournalActor, type JournalEntry, record } from '../../platform/db/journal.ts'
import { Refusal } from '../../platform/errors.ts'
import { holdAdministrators, requireWholeAdministrator } from '../administration/administrators.service.ts'
import { endHeldAssignment } from '../assignments/assignments.service.ts'
import { changeDirectory, holdDirectory } from '../directory/change.service.ts'
import { holdEventsOf, takeOffPost } from '../events/event-wardens.service.ts'
import * as queries from './waiting.queries.ts'

const actorOf = (clientUid: ClientUid, byPersonUid: PersonUid | null): JournalActor => ({
  clientUid,
  personUid: byPersonUid,
  signInUid: null,
})

const entry = (
  action: JournalEntry['action'],
  { kind, personUid, assignmentUid }: queries.NewWaiting,
): JournalEntry => ({
  action,
  subjectType: 'person',
  subjectUid: personUid,
  after: { kind, ...(assignmentUid && { assignment_uid: assignmentUid }) },
})

/** ORG-44: keeps a change of a warden on duty until they have left their post. A newer wish replaces an older one. */
export async function putOff(tx: Tx, wish: queries.NewWaiting): Promise<void> {
  await queries.replaceWaiting(tx, wish)
  await record(tx, actorOf(wish.clientUid, wish.byPersonUid), entry('waiting_made', wish))
}

/**
 * ORG-44: makes the changes whose wardens have left their post. Any number of workers may run at once. Trouble with one
 * change does not stop the others.
 */
export async function makeDue(system: Db, onTrouble: (error: unknown) => void): Promise<void> {
  const tried: WaitingUid[] = []
  for (;;) {
    const some = await queries.listDue(system, tried)
    if (some.length === 0) return
    for (const due of some)
      await inClients(system, [due.clientUid], (tx) => make(tx, due)).catch(
        (error: unknown) => waitsOn(error) || onTrouble(error),
      )
    tried.push(...some.map(({ uid }) => uid))
  }
}

/** Somebody has done, replaced or dropped the change meanwhile. */
class Gone extends Error {
  override name = 'Gone'
}

/** ORG-13: the last administrator stays until another one is appointed. */
const waitsOn = (error: unknown) =>
  error instanceof Gone || (error instanceof Refusal && error.code === 'last_administrator')

/** Makes the change, unless its warden is on duty again. */
async function make(tx: Tx, due: queries.OpenWaiting): Promise<void> {
  const outcome = due.assignmentUid ? await endAssignment(tx, due, due.assignmentUid) : await deactivate(tx, due)
  if (outcome === 'on_duty') return
  // what was made is undone
  if (!(await queries.lockWaiting(tx, due.clientUid, due.uid))) throw new Gone()
  await queries.endWaiting(tx, due, outcome)
  const action = outcome === 'happened' ? 'waiting_happened' : 'waiting_dropped'
  await record(tx, actorOf(due.clientUid, due.byPersonUid), entry(action, due))
}

type Outcome = 'happened' | 'dropped' | 'on_duty'

/** What somebody has ended already is dropped. */
async function endAssignment(tx: Tx, due: queries.OpenWaiting, uid: AssignmentUid): Promise<Outcome> {
  const { clientUid, byPersonUid, reason } = due
  const ended = await endHeldAssignment(tx, actorOf(clientUid, byPersonUid), { clientUid, uid, reason: reason ?? '' })
  return ended === 'ended' ? 'happened' : ended === 'over' ? 'dropped' : 'on_duty'
}

/** By the rules of an import, which spares who is on duty. */
async function deactivate(tx: Tx, { clientUid, personUid, byPersonUid }: queries.OpenWaiting): Promise<Outcome> {
  const by = { clientUid, personUid: byPersonUid, signInUid: null }
  const rows = { people: [{ uid: personUid, active: 'no' }] }
  await holdDirectory(tx, clientUid)
  await holdAdministrators(tx, clientUid)
  const changed = await changeDirectory(tx, { by, rows, now: new Date() })
  if (changed.problems) return 'dropped'
  // it waits on until another administrator is appointed
  await requireWholeAdministrator(tx, clientUid, personUid)
  return changed.left.length > 0 ? 'on_duty' : 'happened'
}

/** ORG-44: a newer, opposite wish drops what waits for the person, or for the assignment. Call under `holdDirectory`. */
export async function dropOpposite(
  tx: Tx,
  administrator: Administrator,
  wish: Parameters<typeof queries.lockWish>[2],
): Promise<void> {
  const found = await queries.lockWish(tx, administrator.clientUid, wish)
  if (!found) return
  await queries.endWaiting(tx, found, 'dropped')
  await record(tx, journalAdministrator(administrator), entry('waiting_dropped', found))
}

/** ORG-44: gives a change up. */
export async function drop(tx: Tx, administrator: Administrator, uid: WaitingUid): Promise<void> {
  const found = await queries.lockWaiting(tx, administrator.clientUid, uid)
  if (!found) throw new Refusal('not_found')
  await queries.endWaiting(tx, found, 'dropped')
  await record(tx, journalAdministrator(administrator), entry('waiting_dropped', found))
}

/** ORG-45: takes the warden off duty and makes the change. Throws `on_duty` for the last event manager (AMB-046). */
export async function doNow(tx: Tx, administrator: Administrator, uid: WaitingUid): Promise<void> {
  const { clientUid, personUid } = administrator
  await holdDirectory(tx, clientUid)
  for (const { siteUid } of await queries.listPosts(tx, { clientUid, uid })) await holdEventsOf(tx, siteUid)
  const found = await queries.lockWaiting(tx, clientUid, uid)
  if (!found) throw new Refusal('not_found')
  for (const { siteUid, assignmentUid } of await queries.listPosts(tx, found))
    await takeOffPost(tx, administrator, siteUid, assignmentUid)
  await make(tx, { ...found, byPersonUid: personUid })
}

/** ORG-44: what stands on Overview as 'Waiting'. */
async function presentWaiting(tx: Tx, administrator: Administrator) {
  const rows = await queries.listWaiting(tx, administrator.clientUid, within(administrator).person)
  return rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() }))
}

/** ORG-41, ORG-44: running events within reach, and changes that wait. */
export async function presentNow(tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof getNow>> {
  const events = await queries.listRunningEvents(tx, administrator.clientUid, within(administrator).site)
  return {
    events: events.map(({ uid, site, startedAt }) => ({ uid, site, started_at: startedAt.toISOString() })),
    waiting: await presentWaiting(tx, administrator),
  }
}
