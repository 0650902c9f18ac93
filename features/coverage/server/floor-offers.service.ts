import type { FloorOfferUid, SignInUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Acting, type DutyActor, journalActor } from '#server/wardens/actor.ts'
import { offerSeconds } from '../kinds.ts'
import type { PlaceRow, PlaceUid } from './coverage.queries.ts'
import { holdOnDuty, isQuietFor } from './floor-claims.queries.ts'
import { answeredEntry, claimFloor, coveredBy, lockedPlace, ofEvent } from './floor-claims.service.ts'
import * as offers from './floor-offers.queries.ts'

/** Asks one warden. No one is asked by the machine. */
export async function offerFloor(tx: Tx, actor: DutyActor, floorId: PlaceUid, to: SignInUid) {
  const event = ofEvent(actor)
  const asked = await offers.findAsked(tx, event, to)
  if (!asked) throw new Refusal('not_found')
  const place = await lockedPlace(tx, event, floorId)
  if (await isQuietFor(tx, event, floorId, to)) throw new Refusal('quiet_building')
  if (!(await holdOnDuty(tx, event, to))) throw new Refusal('not_on_duty', `${asked.name} is not on duty.`)
  refuseIfUnneeded(place)
  const lapsed = await offers.closeLapsed(tx, event, place.placeUid)
  const { uid } = await offers.insertOffer(tx, event, place, { to, by: actor.signIn.uid, seconds: offerSeconds })
  await record(tx, journalActor(actor), [
    ...(lapsed ? [answeredEntry(event, place, lapsed, 'lapsed')] : []),
    {
      action: 'floor_offered',
      subjectType: 'sign_in',
      subjectUid: to,
      eventUid: event.eventUid,
      after: { offer_uid: uid, place_uid: place.placeUid, offered_by_uid: actor.signIn.uid },
    },
  ])
  return { offer: { id: uid, name: asked.name } }
}

function refuseIfUnneeded({ ownOnDuty, ownName, claim, asked }: PlaceRow): void {
  if (ownOnDuty > 0) throw coveredBy(ownName)
  if (claim) throw coveredBy(claim.name)
  if (asked) throw new Refusal('already_offered', `${asked.name} was asked ${asked.secondsAgo} s ago.`)
}

/** 'I will take it' is a claim like any other, also after the offer has lapsed. */
export async function answerOffer(tx: Tx, actor: Acting, uid: FloorOfferUid, take: 'yes' | 'no') {
  const event = ofEvent(actor)
  const offer = await offers.findOffer(tx, event, uid, actor.signIn.uid)
  if (!offer) throw new Refusal('not_found')
  if (take === 'yes') await claimFloor(tx, actor, offer.placeUid)
  await offers.setAnswer(tx, event, uid, take)
  if (take === 'no' && offer.answer === null)
    await record(tx, journalActor(actor), answeredEntry(event, offer, offer, 'no'))
  return { offer: { id: uid, answer: take } }
}
