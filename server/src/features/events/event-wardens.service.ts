import type { AssignmentUid, ClientUid, SiteUid } from '@evac/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { record, unattended } from '../../platform/db/journal.ts'
import { Refusal } from '../../platform/errors.ts'
import { takeBackWardens, takeOutWardens } from '../evacuation/evacuee-snapshot.service.ts'
import {
  findActiveEvent,
  listSitesWithNewcomers,
  lockSite,
  type OpenedSignIn,
  openSignIns,
  revokeLinkSessions,
} from './event.queries.ts'
import {
  closePosts,
  closeSignIn,
  type EventPlace,
  listSitesOfEvents,
  listSitesOfPosts,
  lockSignIn,
} from './event-wardens.queries.ts'

/** Until the transaction ends no event of the site starts, changes its buildings or ends. Take it before any other lock. */
export async function holdEventsOf(tx: Tx, siteUid: SiteUid): Promise<void> {
  await lockSite(tx, siteUid)
}

/**
 * AMB-067: who accepts while an event runs in their area is one of its wardens, attendance unknown, and no longer
 * counted as an occupant. Answers null when the assignment took up no place. Call under `holdEventsOf`.
 */
export async function joinRunningEvent(
  tx: Tx,
  siteUid: SiteUid,
  assignmentUid: AssignmentUid,
): Promise<EventPlace | null> {
  const joined = await joinRunningEvents(tx, siteUid)
  return joined.find((place) => place.assignmentUid === assignmentUid) ?? null
}

/** Where the client's events run. One that is just starting is not seen yet. */
export const listSitesWithEvent = (db: Db, clientUid: ClientUid) => listSitesOfEvents(db, clientUid)

/** `joinRunningEvent` for all who have become wardens of the site without doing anything themselves, and its record. */
export async function joinUnasked(tx: Tx, clientUid: string, siteUid: SiteUid, by: 'import' | 'date'): Promise<void> {
  const joined = await joinRunningEvents(tx, siteUid)
  await record(
    tx,
    unattended(clientUid),
    joined.map(({ assignmentUid, eventUid, signInUid }) => ({
      action: 'assignment_changed',
      subjectType: 'warden_assignment',
      subjectUid: assignmentUid,
      eventUid,
      after: { status: 'Accepted', sign_in_uid: signInUid, by },
    })),
  )
}

/**
 * AMB-067: wardens whose assignment began only after the event did, as at midnight. A site at a time, and a site where
 * nobody is missing is not held at all. Any number of workers may do so at once; a site that fails stops no other.
 */
export async function joinWhoseDayHasCome(system: Db, onTrouble: (error: unknown) => void): Promise<void> {
  for (const { clientUid, siteUid } of await listSitesWithNewcomers(system))
    await system
      .transaction()
      .execute(async (tx) => {
        await holdEventsOf(tx, siteUid)
        await joinUnasked(tx, clientUid, siteUid, 'date')
      })
      .catch(onTrouble)
}

/** `joinRunningEvent` for all who have become wardens of the site and have no place yet. Call under `holdEventsOf`. */
async function joinRunningEvents(tx: Tx, siteUid: SiteUid): Promise<OpenedSignIn[]> {
  const active = await findActiveEvent(tx, siteUid)
  if (!active) return []
  const opened = await openSignIns(tx, active.uid, siteUid)
  if (opened.length > 0) await takeOutWardens(tx, active.uid)
  return opened
}

/**
 * AMB-067: nobody leaves their post unseen; throws `on_duty`. Off duty the sign-in is closed, and the person is accounted
 * for like anybody else. Answers null when there was none. Call under `holdEventsOf`.
 */
export async function leaveRunningEvent(
  tx: Tx,
  siteUid: SiteUid,
  assignmentUid: AssignmentUid,
): Promise<EventPlace | null> {
  const active = await findActiveEvent(tx, siteUid)
  const signIn = active && (await lockSignIn(tx, active.uid, assignmentUid))
  if (!signIn) return null
  if (signIn.onDuty) throw new Refusal('on_duty')
  await closeSignIn(tx, signIn.uid)
  const place = { eventUid: active.uid, signInUid: signIn.uid }
  await accountFor(tx, [place])
  return place
}

/** `holdEventsOf` for many assignments at once: the sites where they have a place in a running event. */
export async function holdEventsOfPosts(tx: Tx, clientUid: string, assignmentUids: readonly string[]): Promise<void> {
  for (const siteUid of await listSitesOfPosts(tx, clientUid, assignmentUids)) await holdEventsOf(tx, siteUid)
}

/**
 * AMB-067: `leaveRunningEvent` for assignments that an import ends; who is on duty stays. Answers the places that were
 * left. Call under `holdEventsOfPosts`.
 */
export async function leaveRunningEvents(
  tx: Tx,
  clientUid: string,
  assignmentUids: readonly string[],
): Promise<EventPlace[]> {
  const places = await closePosts(tx, clientUid, assignmentUids)
  await accountFor(tx, places)
  return places
}

/** Who has left a place is an occupant like anybody else, and no session of the place's link goes on. */
async function accountFor(tx: Tx, places: readonly EventPlace[]): Promise<void> {
  const signInsOf = (some: readonly EventPlace[]) => some.map(({ signInUid }) => signInUid)
  await revokeLinkSessions(tx, signInsOf(places))
  for (const [eventUid, left] of Map.groupBy(places, (place) => place.eventUid))
    await takeBackWardens(tx, eventUid, signInsOf(left))
}
