import { randomUUID } from 'node:crypto'
import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { ObserverActor } from '#server/wardens/observer.ts'
import type { endObserverLink, getObserved, listObservers, Observer } from '../../calls/observing.ts'
import { observerLinkDays } from '../../kinds.ts'
import type { NewNote } from '../additions.service.ts'
import { reachOf } from '../record-access.service.ts'
import { countNotes } from './notes.queries.ts'
import { findObserved } from './observed.queries.ts'
import * as queries from './observers.queries.ts'
import { type Noter, note, noterOf, presentNoting, type Seen } from './observing.service.ts'

/** Links of an event that have not ended. */
const mostLinks = 20
const notesPerHour = 60
const mostNotes = 500

/** The token of a link, derived from its uid: it is kept nowhere, and a repeated request gets the same one. */
const tokenOf = (key: Uint8Array, uid: string) => hmac(key, uid)

export const linkOf = (key: Uint8Array, appUrl: string, uid: string) => `${appUrl}/observe#${tokenOf(key, uid)}`

const present = ({ until, ...row }: queries.ObserverRow): Observer => ({ ...row, until: until?.toISOString() ?? null })

/** Links need reach of all buildings of the event. Throws `not_found`. */
async function requireWhole(tx: Tx, actor: Actor, eventUid: EventUid) {
  const { isSite, buildingUids } = await reachOf(tx, actor)
  const { event } = await noterOf(tx, actor, eventUid)
  if (!isSite && !event.buildingUids.every((uid) => buildingUids.includes(uid))) throw new Refusal('not_found')
  return event
}

/** Many at once make no link too many. */
export async function makeLink(
  tx: Tx,
  actor: Actor,
  { eventUid, name: given, key, now }: { eventUid: EventUid; name: string; key: Uint8Array; now: Date },
): Promise<{ observer: Observer }> {
  const { clientUid, personUid } = actor
  const name = given.trim()
  if (!name) throw new Refusal('invalid_request', 'Enter the name of the observer.', ['body/name'])
  const { endedAt } = await requireWhole(tx, actor, eventUid)
  if (endedAt && now.getTime() >= endedAt.getTime() + observerLinkDays * 86_400_000)
    throw new Refusal('invalid_transition', `Links can be made for ${observerLinkDays} days after the end.`)
  await queries.lockLinks(tx, eventUid)
  const open = (await queries.listObserverRows(tx, clientUid, eventUid)).filter(({ ended }) => !ended)
  if (open.length >= mostLinks)
    throw new Refusal('invalid_transition', `An event can have up to ${mostLinks} observers. End a link first.`)
  const uid = randomUUID()
  const tokenHash = sha256(tokenOf(key, uid))
  await queries.insertLink(tx, { uid, clientUid, eventUid, name, tokenHash, madeByPersonUid: personUid })
  await journal(tx, actor, eventUid, 'observer_link_made', uid)
  return { observer: present(await getRow(tx, actor, eventUid, uid)) }
}

const journal = (
  tx: Tx,
  actor: Actor,
  eventUid: EventUid,
  action: 'observer_link_made' | 'observer_link_ended',
  observer: string,
) =>
  recordBeside(tx, journalActor(actor), [
    { action, subjectType: 'event', subjectUid: eventUid, eventUid, after: { observer } },
  ])

async function getRow(tx: Tx, { clientUid }: Actor, eventUid: EventUid, uid: string) {
  const row = await queries.findObserverRow(tx, clientUid, eventUid, uid)
  if (!row) throw new Refusal('not_found')
  return row
}

export async function presentObservers(
  tx: Tx,
  actor: Actor,
  eventUid: EventUid,
): Promise<CallAnswer<typeof listObservers>> {
  await requireWhole(tx, actor, eventUid)
  return { observers: (await queries.listObserverRows(tx, actor.clientUid, eventUid)).map(present) }
}

/** Ended twice, it ended once. */
export async function endLink(
  tx: Tx,
  actor: Actor,
  eventUid: EventUid,
  uid: string,
): Promise<CallAnswer<typeof endObserverLink>> {
  await requireWhole(tx, actor, eventUid)
  await getRow(tx, actor, eventUid, uid)
  if (await queries.revokeLink(tx, actor.clientUid, uid)) await journal(tx, actor, eventUid, 'observer_link_ended', uid)
  return { observer: present(await getRow(tx, actor, eventUid, uid)) }
}

async function noterOfLink(tx: Tx, { uid, name, clientUid, eventUid }: ObserverActor): Promise<Noter> {
  const event = await findObserved(tx, clientUid, eventUid)
  if (!event) throw new Refusal('link_ended')
  const author = {
    clientUid,
    personUid: null,
    observer: { uid, name },
    journal: { clientUid, personUid: null, signInUid: null },
  }
  return { author, event, own: null }
}

export const presentToObserver = async (tx: Tx, observer: ObserverActor): Promise<CallAnswer<typeof getObserved>> => ({
  ...(await presentNoting(tx, await noterOfLink(tx, observer))),
  name: observer.name,
})

/** 60 an hour, 500 in all. */
export async function noteByLink(tx: Tx, observer: ObserverActor, addition: NewNote, seen: Seen) {
  if (!(await queries.lockLink(tx, observer.uid))) throw new Refusal('link_ended')
  const { all, lately } = await countNotes(tx, observer.uid)
  if (all >= mostNotes) throw new Refusal('invalid_request', `An observer can add up to ${mostNotes} notes.`)
  if (lately >= notesPerHour) throw new Refusal('too_many_requests')
  return note(tx, await noterOfLink(tx, observer), addition, seen)
}
