import { holdAdministrators } from '#features/administrators/server/administrators.queries.ts'
import { requireWholeAdministrator, tellLast } from '#features/administrators/server/administrators.service.ts'
import { type ActingAs, asAdministrator, asOperator } from '#features/authority/server/decide.ts'
import { decideEach } from '#features/authority/server/in-act.service.ts'
import { findGrantOf } from '#features/authority/server/power.queries.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { changeDirectory, holdDirectory } from '#features/directory/server/change-directory.service.ts'
import type { Wishes } from '#features/directory/server/tables/bring-in.service.ts'
import { lockSite } from '#features/events/server/event.queries.ts'
import { takeOffPost } from '#features/events/server/event-wardens.service.ts'
import type { AssignmentUid, ClientUid, PersonUid, UploadUid, WaitingUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { reachOf } from '#server/administrators/live-console-session.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import { type JournalActor, type JournalEntry, record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { getNow } from '../../calls/waiting.ts'
import { endHeldAssignment } from '../assignments.service.ts'
import * as queries from './deferred-changes.queries.ts'

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

/** Keeps a change of a warden on duty until they have left their post. A newer wish replaces an older one. */
export async function putOff(tx: Tx, wish: queries.NewWaiting): Promise<void> {
  await queries.replaceWaiting(tx, wish)
  await record(tx, actorOf(wish.clientUid, wish.byPersonUid), entry('waiting_made', wish))
}

type Making = Pick<Services, 'system' | 'config' | 'jobs'>

/**
 * Makes the changes whose wardens have left their post. Any number of workers may run at once. Trouble with one
 * change does not stop the others.
 */
export async function makeDue(app: Making, onTrouble: (error: unknown) => void): Promise<void> {
  const { system } = app
  const tried: WaitingUid[] = []
  for (;;) {
    const some = await queries.listDue(system, tried)
    if (some.length === 0) return
    for (const due of some)
      await inClients(system, [due.clientUid], (tx) => make(app, tx, due))
        .catch((error: unknown) => waitsOn(app, due, error))
        .catch(onTrouble)
    tried.push(...some.map(({ uid }) => uid))
  }
}

/** Someone has done, replaced or dropped the change meanwhile. */
class Gone extends Error {
  override name = 'Gone'
}

/** The last administrator stays until another one is appointed, and is told so once. Throws any other error. */
async function waitsOn(app: Making, due: queries.OpenWaiting, error: unknown): Promise<void> {
  if (error instanceof Gone) return
  if (!(error instanceof Refusal && error.code === 'last_administrator')) throw error
  await inClients(app.system, [due.clientUid], async (tx) => {
    if (await queries.markTold(tx, due)) await tellLast({ ...app, now: new Date() }, tx, due)
  })
}

/** Makes the change, unless its warden is on duty again. */
async function make(app: Making, tx: Tx, due: queries.OpenWaiting): Promise<void> {
  const outcome = due.assignmentUid ? await endAssignment(tx, due, due.assignmentUid) : await deactivate(app, tx, due)
  if (outcome === 'on_duty') return
  // what was made is undone
  if (!(await queries.lockWaiting(tx, due.clientUid, due.uid))) throw new Gone()
  await queries.endWaiting(tx, due, outcome)
  const action = outcome === 'happened' ? 'waiting_happened' : 'waiting_dropped'
  await record(tx, actorOf(due.clientUid, due.byPersonUid), entry(action, due))
}

type Outcome = 'happened' | 'dropped' | 'on_duty'

/** What someone has ended already is dropped. */
async function endAssignment(tx: Tx, due: queries.OpenWaiting, uid: AssignmentUid): Promise<Outcome> {
  const { clientUid, byPersonUid, reason } = due
  const ended = await endHeldAssignment(tx, actorOf(clientUid, byPersonUid), { clientUid, uid, reason: reason ?? '' })
  return ended === 'ended' ? 'happened' : ended === 'over' ? 'dropped' : 'on_duty'
}

/** By the rules of an import, which spares who is on duty. Decided now: what its administrator may no longer do is dropped. */
async function deactivate(app: Making, tx: Tx, due: queries.OpenWaiting): Promise<Outcome> {
  const { clientUid, personUid, byPersonUid } = due
  const by = { clientUid, personUid: byPersonUid, signInUid: null }
  const rows = { people: [{ uid: personUid, active: 'no' }] }
  await holdDirectory(tx, clientUid)
  await holdAdministrators(tx, clientUid)
  const actor = await actingOf(tx, due)
  const telling = tellingOf({ config: app.config, jobs: app.jobs, now: new Date() })
  const decided = actor && (await decideEach(telling, tx, actor, 'deactivate', [personUid])).get(personUid)
  if (!actor || decided?.refusal) return 'dropped'
  const changed = await changeDirectory(tx, { by, acting: { as: actor, telling }, rows, now: new Date() })
  if (changed.problems) return 'dropped'
  // it waits on until another administrator is appointed
  await requireWholeAdministrator(tx, clientUid, personUid)
  return changed.left.length > 0 ? 'on_duty' : 'happened'
}

/** Who asked for it, with the grant that they have now. The code was given when they asked. Undefined without a grant. */
async function actingOf(
  tx: Tx,
  { clientUid, personUid, byPersonUid }: queries.OpenWaiting,
): Promise<ActingAs | undefined> {
  // a file may leave out the person who brings it in: it is the file that ends them, once another administrator is there
  if (!byPersonUid || byPersonUid === personUid) return asOperator(clientUid)
  const grant = await findGrantOf(tx, clientUid, byPersonUid)
  if (!grant) return undefined
  const { reach, siteUid, groupUid, seesPlans } = grant
  return asAdministrator({
    clientUid,
    personUid: byPersonUid,
    seesPlans,
    isConfirmed: true,
    reach: reachOf(reach, siteUid, groupUid),
  })
}

/** A newer, opposite wish drops what waits for the person, or for the assignment. Call under `holdDirectory`. */
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

/** Drops what an upload has put off. Returns what of it has happened meanwhile. */
export async function dropOfUpload(
  tx: Tx,
  by: JournalActor & { clientUid: ClientUid },
  uploadUid: UploadUid,
): Promise<queries.OpenWaiting[]> {
  const all = await queries.lockOfUpload(tx, by.clientUid, uploadUid)
  for (const open of all.filter(({ outcome }) => outcome === null)) {
    await queries.endWaiting(tx, open, 'dropped')
    await record(tx, by, entry('waiting_dropped', open))
  }
  return all.filter(({ outcome }) => outcome === 'happened')
}

/** The ends that wait, for tables that may be against them. `by`: who brings the tables in. */
export const wishesFor = (by: PersonUid | null): Wishes => ({
  listOpen: queries.listOpen,
  drop: (session, clientUid, wishes) =>
    inClients(session, [clientUid], async (tx) => {
      for (const { uid } of wishes) {
        const open = await queries.lockWaiting(tx, clientUid, uid)
        if (!open) throw new Gone()
        await queries.endWaiting(tx, open, 'dropped')
        await record(tx, actorOf(clientUid, by), entry('waiting_dropped', open))
      }
      return true
    }).catch((error: unknown) => {
      if (error instanceof Gone) return false
      throw error
    }),
})

/** Gives a change up. */
export async function drop(tx: Tx, administrator: Administrator, uid: WaitingUid): Promise<void> {
  const found = await lockReached(tx, administrator, uid)
  await queries.endWaiting(tx, found, 'dropped')
  await record(tx, journalAdministrator(administrator), entry('waiting_dropped', found))
}

/** Takes the warden off duty and makes the change. Throws `on_duty` for the last event manager. */
export async function doNow(app: Making, tx: Tx, administrator: Administrator, uid: WaitingUid): Promise<void> {
  const { clientUid, personUid } = administrator
  await holdDirectory(tx, clientUid)
  for (const { siteUid } of await queries.listPosts(tx, { clientUid, uid })) await lockSite(tx, siteUid)
  const found = await lockReached(tx, administrator, uid)
  if (!found.assignmentUid) await requireDeactivation(app, tx, administrator, found.personUid)
  for (const { siteUid, assignmentUid } of await queries.listPosts(tx, found))
    await takeOffPost(tx, administrator, siteUid, assignmentUid)
  await make(app, tx, { ...found, byPersonUid: personUid })
}

/** The change, if it waits for someone within reach. */
async function lockReached(tx: Tx, administrator: Administrator, uid: WaitingUid): Promise<queries.OpenWaiting> {
  const { clientUid } = administrator
  const found = await queries.lockWaiting(tx, clientUid, uid)
  if (!found || !(await queries.isReached(tx, clientUid, within(administrator).person, found.personUid)))
    throw new Refusal('not_found')
  return found
}

/** Throws why it is not theirs to do, before anyone is taken off duty. */
async function requireDeactivation(app: Making, tx: Tx, administrator: Administrator, personUid: PersonUid) {
  const telling = tellingOf({ config: app.config, jobs: app.jobs, now: new Date() })
  const decided = await decideEach(telling, tx, asAdministrator(administrator), 'deactivate', [personUid])
  const refusal = decided.get(personUid)?.refusal
  if (refusal) throw refusal
}

/** What stands on Overview as 'Waiting'. */
async function presentWaiting(tx: Tx, administrator: Administrator) {
  const rows = await queries.listWaiting(tx, administrator.clientUid, within(administrator).person)
  return rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() }))
}

/** Running events within reach, and changes that wait. */
export async function presentNow(tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof getNow>> {
  const events = await queries.listRunningEvents(tx, administrator.clientUid, within(administrator).site)
  return {
    events: events.map(({ uid, site, startedAt }) => ({ uid, site, started_at: startedAt.toISOString() })),
    waiting: await presentWaiting(tx, administrator),
  }
}
