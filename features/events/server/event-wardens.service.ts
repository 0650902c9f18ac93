import {
  dropWardensFromEvacuees,
  returnWardensToEvacuees,
} from '#features/evacuation/server/evacuee-snapshot.queries.ts'
import { toldTally } from '#features/evacuation/server/evacuee-snapshot.service.ts'
import type { TallyLine } from '#features/evacuation/server/tally.queries.ts'
import type { AssignmentUid, ClientUid, PersonUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record, unattended } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { findActiveEvent, lockSite } from './event.queries.ts'
import {
  closePosts,
  closeSignIn,
  type EventPlace,
  listSitesOfPosts,
  lockPost,
  lockSignIn,
  type PostsOf,
  takeOff,
} from './event-wardens.queries.ts'
import { listSitesWithNewcomers, type OpenedSignIn, openSignIns, revokeLinkSessions } from './participation.queries.ts'

/** A participation that somebody has taken or left, and by how much this changed the counts. */
interface Moved extends EventPlace {
  tally: TallyLine[]
}

/** How the entry of an assignment tells it. */
export const toldPlace = ({ signInUid, tally }: Moved) => ({ sign_in_uid: signInUid, ...toldTally(...tally) })

/**
 * Makes a person who accepts an assignment a warden of the running event in its area, with attendance unknown,
 * and no longer an occupant. Null if the assignment has no participation. Journals the others who join with it. Call
 * under `lockSite`.
 */
export async function joinRunningEvent(
  tx: Tx,
  { clientUid, siteUid, uid }: { clientUid: ClientUid; siteUid: SiteUid; uid: AssignmentUid },
): Promise<Moved | null> {
  const { opened, tally } = await joinRunningEvents(tx, siteUid)
  const own = opened.find(({ assignmentUid }) => assignmentUid === uid)
  const others = opened.filter((place) => place !== own)
  await recordJoined(tx, clientUid, { opened: others, tally: own ? [] : tally }, 'date')
  return own ? { ...own, tally } : null
}

/** `joinRunningEvent` for all new wardens of the site who have not accepted just now, with journal entries. */
export async function joinUnasked(
  tx: Tx,
  clientUid: string,
  siteUid: SiteUid,
  by: 'import' | 'date' | 'console',
): Promise<void> {
  await recordJoined(tx, clientUid, await joinRunningEvents(tx, siteUid), by)
}

/** The first entry tells by how much all of them changed the counts. */
async function recordJoined(tx: Tx, clientUid: string, { opened, tally }: Joined, by: 'import' | 'date' | 'console') {
  await record(
    tx,
    unattended(clientUid),
    opened.map(({ assignmentUid, eventUid, signInUid }, nth) => ({
      action: 'assignment_changed',
      subjectType: 'warden_assignment',
      subjectUid: assignmentUid,
      eventUid,
      after: { status: 'Accepted', sign_in_uid: signInUid, by, ...toldTally(...(nth === 0 ? tally : [])) },
    })),
  )
}

/**
 * Adds wardens whose assignment began after the event did, for example at midnight. Locks one site at a time, and
 * only if someone is missing. Any number of workers may run at once. An error at one site does not stop the others.
 */
export async function joinWhoseDayHasCome(system: Db, onTrouble: (error: unknown) => void): Promise<void> {
  for (const { clientUid, siteUid } of await listSitesWithNewcomers(system))
    await system
      .transaction()
      .execute(async (tx) => {
        await lockSite(tx, siteUid)
        await joinUnasked(tx, clientUid, siteUid, 'date')
      })
      .catch(onTrouble)
}

interface Joined {
  opened: readonly OpenedSignIn[]
  tally: readonly TallyLine[]
}

/** Opens a participation for all wardens of the site without one. Call under `lockSite`. */
async function joinRunningEvents(tx: Tx, siteUid: SiteUid): Promise<Joined & { tally: TallyLine[] }> {
  const active = await findActiveEvent(tx, siteUid)
  const opened = active ? await openSignIns(tx, active.uid, siteUid) : []
  return { opened, tally: active && opened.length > 0 ? await dropWardensFromEvacuees(tx, active.uid) : [] }
}

/**
 * Closes the participation of an assignment and makes the person an occupant. Throws `on_duty` while on duty, so
 * that nobody leaves unnoticed. Null if there is no participation. Call under `lockSite`.
 */
export async function leaveRunningEvent(
  tx: Tx,
  { siteUid, uid }: { siteUid: SiteUid; uid: AssignmentUid },
): Promise<Moved | null> {
  const active = await findActiveEvent(tx, siteUid)
  const signIn = active && (await lockSignIn(tx, active.uid, uid))
  if (!signIn) return null
  if (signIn.onDuty) throw new Refusal('on_duty')
  await closeSignIn(tx, signIn.uid)
  const place = { eventUid: active.uid, signInUid: signIn.uid }
  return { ...place, tally: (await accountFor(tx, [place])).get(signIn.uid) ?? [] }
}

/** True if the warden of the assignment is on duty. Otherwise nobody goes on duty with it until the transaction ends. Call under `lockSite`. */
export async function isOnDutyAt(tx: Tx, siteUid: SiteUid, assignmentUid: AssignmentUid): Promise<boolean> {
  const active = await findActiveEvent(tx, siteUid)
  const signIn = active && (await lockSignIn(tx, active.uid, assignmentUid))
  return signIn?.onDuty ?? false
}

/**
 * Takes a warden off duty, whose phone shows that they are no longer authorised, and makes them an
 * occupant. Throws `on_duty` for the last event manager. Call under `lockSite`.
 */
export async function takeOffPost(
  tx: Tx,
  { clientUid, personUid }: { clientUid: ClientUid; personUid: PersonUid },
  siteUid: SiteUid,
  assignmentUid: AssignmentUid,
): Promise<void> {
  const active = await findActiveEvent(tx, siteUid)
  if (!active) return
  const post = await lockPost(tx, active.uid, assignmentUid)
  if (!post) return
  if (post.isLastManager)
    throw new Refusal(
      'on_duty',
      `${post.name} is the only Event Manager on duty. Conclude the event or have another Event Manager report in first.`,
    )
  await takeOff(tx, post.uid)
  const changed = await accountFor(tx, [{ eventUid: active.uid, signInUid: post.uid }])
  await record(
    tx,
    { clientUid, personUid, signInUid: null },
    {
      action: 'assignment_ended',
      subjectType: 'sign_in',
      subjectUid: post.uid,
      eventUid: active.uid,
      ...toldAfter(changed.get(post.uid)),
    },
  )
}

/**
 * `lockSite` for the sites where these assignments participate in a running event, and where these people have
 * accepted an assignment, so that no event begins with them.
 */
export async function holdEventsOfPosts(tx: Tx, clientUid: string, posts: PostsOf): Promise<void> {
  for (const siteUid of await listSitesOfPosts(tx, clientUid, posts)) await lockSite(tx, siteUid)
}

/**
 * `leaveRunningEvent` for assignments and people that a change ends, with journal entries. Wardens on
 * duty stay. Call under `holdEventsOfPosts`.
 */
export async function leaveRunningEvents(tx: Tx, actor: JournalActor, posts: PostsOf): Promise<void> {
  const places = await closePosts(tx, actor.clientUid, posts)
  const changed = await accountFor(tx, places)
  await record(
    tx,
    actor,
    places.map(({ signInUid, eventUid }) => ({
      action: 'assignment_ended',
      subjectType: 'sign_in',
      subjectUid: signInUid,
      eventUid,
      ...toldAfter(changed.get(signInUid)),
    })),
  )
}

const toldAfter = (lines: readonly TallyLine[] = []) => {
  const after = toldTally(...lines)
  return after.tally ? { after } : {}
}

/**
 * Makes wardens who have left occupants, and ends the sessions of their report-in links. Returns by how much
 * this changed the counts, of each event with the first of its wardens.
 */
async function accountFor(tx: Tx, places: readonly EventPlace[]): Promise<ReadonlyMap<SignInUid, TallyLine[]>> {
  const signInsOf = (some: readonly EventPlace[]) => some.map(({ signInUid }) => signInUid)
  await revokeLinkSessions(tx, signInsOf(places))
  const changed = new Map<SignInUid, TallyLine[]>()
  for (const [eventUid, left] of Map.groupBy(places, (place) => place.eventUid)) {
    const tally = await returnWardensToEvacuees(tx, eventUid, signInsOf(left))
    if (left[0]) changed.set(left[0].signInUid, tally)
  }
  return changed
}
