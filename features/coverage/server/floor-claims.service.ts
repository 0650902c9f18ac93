import type { SignInUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type JournalEntry, record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Acting, type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { FloorClaim } from '../calls/coverage.ts'
import { findPlace, type OfEvent, type PlaceRow, type PlaceUid } from './coverage.queries.ts'
import * as claims from './floor-claims.queries.ts'
import { presentClaim } from './present-place.ts'

export const ofEvent = ({ clientUid, event }: Acting): OfEvent => ({ clientUid, eventUid: event.uid })

/** The warden takes a place that no one looks after. Asked again by its holder, it changes nothing. */
export async function claimFloor(tx: Tx, actor: Acting, floorId: PlaceUid): Promise<{ claim: FloorClaim }> {
  const event = ofEvent(actor)
  if (!(await claims.holdOnDuty(tx, event, actor.signIn.uid))) throw new Refusal('not_on_duty')
  if (await claims.isQuietFor(tx, event, floorId, actor.signIn.uid)) throw new Refusal('quiet_building')
  await refuseIfTaken(tx, event, floorId, actor.signIn.uid)
  await claims.lockPlace(tx, event.eventUid, floorId)
  await refuseIfTaken(tx, event, floorId, actor.signIn.uid)
  const place = await lockedPlace(tx, event, floorId)
  if (place.claim?.signInUid === actor.signIn.uid) return { claim: presentClaim(place, place.claim) }
  if (place.ownOnDuty > 0) throw coveredBy(place.ownName)
  if (place.claim) throw takenBy(place.claim.name)
  await claims.endLeftClaims(tx, event, place.placeUid)
  const made = await claims.insertClaim(tx, event, place, actor.signIn.uid)
  if (!made) throw new Refusal('floor_taken')
  if (actor.sessionUid) await claims.selectPlace(tx, actor.sessionUid, place)
  const offer = await claims.closeOffer(tx, event, place.placeUid, actor.signIn.uid)
  await record(tx, journalActor(actor), [
    { ...aboutPlace('floor_claimed', event, place), after: { claim_uid: made.uid } },
    ...(offer ? [answeredEntry(event, place, offer, offer.answer)] : []),
  ])
  const claim = { signInUid: actor.signIn.uid, name: '', at: made.claimedAt.toISOString() }
  return { claim: presentClaim(place, claim) }
}

export async function giveBackFloor(tx: Tx, actor: DutyActor, floorId: PlaceUid): Promise<{ claim: null }> {
  const event = ofEvent(actor)
  const place = await lockedPlace(tx, event, floorId)
  const given = await claims.giveBack(tx, event, place.placeUid, actor.signIn.uid)
  if (!given) throw new Refusal('not_found')
  await claims.deselectPlace(tx, actor.sessionUid, place)
  const entry = { ...aboutPlace('floor_given_back', event, place), after: { claim_uid: given.uid } }
  await record(tx, journalActor(actor), entry)
  return { claim: null }
}

/** The place as it stands once no other claim or offer of it is under way. A floor of a whole building stands for it. */
export async function lockedPlace(tx: Tx, event: OfEvent, floorId: PlaceUid): Promise<PlaceRow> {
  await claims.lockPlace(tx, event.eventUid, floorId)
  const place = await findPlace(tx, event, floorId)
  if (!place) throw new Refusal('not_found')
  return place.placeUid === floorId ? place : lockedPlace(tx, event, place.placeUid)
}

/** Before the wait for others who press, and after it. */
async function refuseIfTaken(tx: Tx, event: OfEvent, placeUid: PlaceUid, signInUid: SignInUid): Promise<void> {
  const holder = await claims.findHolder(tx, event, placeUid)
  if (holder && holder.signInUid !== signInUid) throw takenBy(holder.name)
}

const takenBy = (name: string) => new Refusal('floor_taken', `${name} has just taken it. Thank you.`)
export const coveredBy = (name: string | null) =>
  new Refusal('floor_covered', name === null ? undefined : `${name} is there. Thank you.`)

const aboutPlace = (
  action: 'floor_claimed' | 'floor_given_back',
  { eventUid }: OfEvent,
  { placeUid, floorUid }: PlaceRow,
): JournalEntry => ({ action, subjectType: floorUid ? 'floor' : 'building', subjectUid: placeUid, eventUid })

/** The two wardens of an offer hear of its answer. */
export const answeredEntry = (
  { eventUid }: OfEvent,
  { placeUid }: Pick<PlaceRow, 'placeUid'>,
  { uid, toSignInUid, bySignInUid }: claims.ClosedOffer,
  answer: string,
): JournalEntry => ({
  action: 'floor_offer_answered',
  subjectType: 'sign_in',
  subjectUid: toSignInUid,
  eventUid,
  after: { offer_uid: uid, place_uid: placeUid, offered_by_uid: bySignInUid, answer },
})
