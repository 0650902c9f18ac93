import type { EventUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, hasFlag } from '#server/wardens/actor.ts'
import type { RecordAddition } from '../../calls/additions.ts'
import type { getNoting, listObserved, Noting } from '../../calls/observing.ts'
import type { AdditionRow } from '../additions.queries.ts'
import {
  type Author,
  authorOf,
  isAfter,
  keepAddition,
  type NewNote,
  present,
  requireTime,
} from '../additions.service.ts'
import { type Reach, reachOf } from '../record-access.service.ts'
import { askedItems, isItem } from './checklist.ts'
import { listNotes } from './notes.queries.ts'
import * as queries from './observed.queries.ts'

/** Days after the end in which observations and answers are taken. */
const observationDays = 30
const dayMs = 86_400_000

/** Who notes, about which event, and which of its places they may name. */
export interface Noter {
  author: Author
  event: queries.Observed
  /** Null: all of them. */
  own: Pick<Reach, 'buildingUids' | 'floorUids'> | null
}

const mayRead = (actor: Actor) => hasFlag(actor, 'Module_Event_Records') && actor.linkSignInUid === null

/** The reach of a warden's assignment. Who came by a report-in link reads no record, and notes like the others on duty. */
const reachOfWarden = (tx: Tx, actor: Actor) =>
  actor.assignment ? reachOf(tx, { ...actor, linkSignInUid: null }) : null

/** Events within reach of the flag, and those in which the caller was on duty. */
export async function presentObserved(tx: Tx, actor: Actor): Promise<CallAnswer<typeof listObserved>> {
  const { clientUid, personUid } = actor
  const reach = mayRead(actor) ? await reachOfWarden(tx, actor) : null
  const events = await queries.listObserved(tx, { clientUid, personUid, reach, days: observationDays })
  return {
    events: events.map(({ eventUid, type, kind, siteName, timezone, beganAt, endedAt }) => ({
      event: eventUid,
      type,
      kind,
      site: siteName,
      timezone,
      started_at: beganAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    })),
  }
}

/** A warden as one who notes about this event. Throws `not_found` for an event that is not theirs. */
export async function noterOf(tx: Tx, actor: Actor, eventUid: EventUid): Promise<Noter> {
  const { clientUid, personUid } = actor
  const event = await queries.findObserved(tx, clientUid, eventUid)
  const reach = await reachOfWarden(tx, actor)
  if (!event || !reach) throw new Refusal('not_found')
  const isReached = mayRead(actor) && touches(reach, event)
  if (!isReached && !(await queries.tookPart(tx, { clientUid, personUid, eventUid }))) throw new Refusal('not_found')
  const isWhole = reach.isSite || event.buildingUids.every((uid) => reach.buildingUids.includes(uid))
  return { author: authorOf(actor), event, own: isWhole ? null : reach }
}

const touches = ({ siteUid, isSite, buildingUids, floorUids }: Reach, event: queries.Observed) =>
  siteUid === event.siteUid &&
  (isSite ||
    event.buildingUids.some((uid) => buildingUids.includes(uid)) ||
    event.floorUids.some((uid) => floorUids.includes(uid)))

/** What there is to choose from, and what this one has noted. */
export async function presentNoting(tx: Tx, { author, event, own }: Noter): Promise<CallAnswer<typeof getNoting>> {
  const { clientUid } = author
  const places = await queries.listPlaces(tx, clientUid, event)
  const notes = await listNotes(tx, event.eventUid, author)
  return {
    site: event.siteName,
    timezone: event.timezone,
    kind: event.kind,
    started_at: event.beganAt.toISOString(),
    ended_at: event.endedAt?.toISOString() ?? null,
    places: places
      .filter((place) => isOwn(own, place))
      .map(({ uid, name }): Noting['places'][number] => ({ id: uid, name })),
    checklist: await askedItems(tx, clientUid),
    notes: notes.map((row) => present(row, author)),
  }
}

const isOwn = (own: Noter['own'], { uid, buildingUid }: queries.PlaceRow) =>
  own === null || own.buildingUids.includes(buildingUid) || (own.floorUids as readonly string[]).includes(uid)

/** When something was seen, as someone said or their phone told, and the time of now. */
export interface Seen {
  at: Date | null
  now: Date
}

/** When the phone kept the note. Of one that is made days after the event, only the time of recording counts. */
const ofEvent = ({ at }: Seen, { endedAt }: queries.Observed) => (at && endedAt && isAfter(at, endedAt) ? null : at)

/** Keeps an observation or an answer. It needs no record yet. */
export async function note(
  tx: Tx,
  { author, event, own }: Noter,
  { kind, body, observed_at }: NewNote,
  seen: Seen,
): Promise<{ entry: RecordAddition }> {
  const at = observed_at === undefined ? ofEvent(seen, event) : new Date(observed_at)
  if (event.endedAt && seen.now.getTime() > event.endedAt.getTime() + observationDays * dayMs)
    throw new Refusal('invalid_transition', `Observations can be added for ${observationDays} days after the end.`)
  if (at) requireTime(at, event, seen.now)
  if (kind === 'observation' && body.place !== undefined) {
    const places = await queries.listPlaces(tx, author.clientUid, event)
    if (!places.some((place) => place.uid === body.place && isOwn(own, place))) throw new Refusal('not_found')
  }
  if (kind === 'checklist' && !(await isItem(tx, author.clientUid, body.item))) throw new Refusal('not_found')
  const row: AdditionRow = await keepAddition(tx, author, event.eventUid, {
    kind,
    body,
    observed_at: at?.toISOString(),
  })
  return { entry: present(row, author) }
}
