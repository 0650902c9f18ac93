import { sql } from 'kysely'
import type { FloorOfferUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { isQuiet } from '#server/wardens/building-action.ts'
import { claimStands } from '#server/wardens/floor-coverage.ts'
import { areaHas } from '#server/wardens/warden-area.ts'
import type { OfEvent, PlaceRow, PlaceUid } from './coverage.queries.ts'

/** Claims and offers of one place wait for each other, so that an offer never outlives a claim. */
export async function lockPlace(tx: Tx, eventUid: string, placeUid: PlaceUid): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`coverage/${eventUid}/${placeUid}`}, 0))`.execute(tx)
}

/** The holder of a place, read without the coverage of the event. Of many who press at once nearly all end here. */
export async function findHolder(
  tx: Tx,
  { clientUid, eventUid }: OfEvent,
  placeUid: PlaceUid,
): Promise<{ signInUid: SignInUid; name: string } | undefined> {
  const { rows } = await sql<{ signInUid: SignInUid; name: string }>`
    select si.uid as sign_in_uid, p.name
    from floor_claim fc
    join event_building eb on eb.client_uid = fc.client_uid and eb.event_uid = fc.event_uid and eb.building_uid = fc.building_uid
      and eb.active and eb.added_at <= fc.claimed_at
    join warden_sign_in si on si.client_uid = fc.client_uid and si.uid = fc.sign_in_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where fc.client_uid = ${clientUid} and fc.event_uid = ${eventUid} and fc.place_uid = ${placeUid} and ${claimStands}`.execute(
    tx,
  )
  return rows[0]
}

/** Keeps a participation on duty until the end of the transaction. False if it is not. */
export async function holdOnDuty(tx: Tx, { clientUid, eventUid }: OfEvent, signInUid: SignInUid): Promise<boolean> {
  const { rows } = await sql`
    select from warden_sign_in
    where client_uid = ${clientUid} and event_uid = ${eventUid} and uid = ${signInUid} and on_duty
    for share`.execute(tx)
  return rows.length > 0
}

/** Ends what someone off duty had left open. */
export async function endLeftClaims(tx: Tx, { clientUid, eventUid }: OfEvent, placeUid: PlaceUid): Promise<void> {
  await sql`
    update floor_claim fc set ended_at = greatest(fc.claimed_at, coalesce(si.off_duty_at, now())), end_reason = 'left'
    from warden_sign_in si
    where fc.client_uid = ${clientUid} and fc.event_uid = ${eventUid} and fc.place_uid = ${placeUid} and fc.ended_at is null
      and si.client_uid = fc.client_uid and si.uid = fc.sign_in_uid`.execute(tx)
}

/** Undefined if someone else has it: the index decides. */
export async function insertClaim(
  tx: Tx,
  { clientUid, eventUid }: OfEvent,
  { buildingUid, floorUid }: PlaceRow,
  signInUid: SignInUid,
): Promise<{ uid: string; claimedAt: Date } | undefined> {
  return tx
    .insertInto('floorClaim')
    .values({ clientUid, eventUid, buildingUid, floorUid, signInUid, claimedAt: sql`clock_timestamp()` })
    .onConflict((oc) => oc.columns(['clientUid', 'eventUid', 'placeUid']).where('endedAt', 'is', null).doNothing())
    .returning(['uid', 'claimedAt'])
    .executeTakeFirst()
}

/** Floor evacuation opens with what this session has taken. */
export async function selectPlace(tx: Tx, sessionUid: string, { buildingUid, floorUid }: PlaceRow): Promise<void> {
  await sql`
    update session set selected_building_uid = ${buildingUid}, selected_floor_uid = ${floorUid}::uuid
    where uid = ${sessionUid}`.execute(tx)
}

/** Given back, it is the warden's default no more. */
export async function deselectPlace(tx: Tx, sessionUid: string, { buildingUid, floorUid }: PlaceRow): Promise<void> {
  await sql`
    update session set selected_building_uid = null, selected_floor_uid = null
    where uid = ${sessionUid} and selected_building_uid = ${buildingUid}
      and selected_floor_uid is not distinct from ${floorUid}::uuid`.execute(tx)
}

/** Undefined if it was not theirs. */
export async function giveBack(
  tx: Tx,
  { clientUid, eventUid }: OfEvent,
  placeUid: PlaceUid,
  signInUid: SignInUid,
): Promise<{ uid: string } | undefined> {
  return tx
    .updateTable('floorClaim')
    .set({ endedAt: sql`clock_timestamp()`, endReason: 'given_back' })
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('placeUid', '=', placeUid)
    .where('signInUid', '=', signInUid)
    .where('endedAt', 'is', null)
    .returning('uid')
    .executeTakeFirst()
}

export interface ClosedOffer {
  uid: FloorOfferUid
  toSignInUid: SignInUid
  bySignInUid: SignInUid
}

/** The open offer of the place is answered by the claim: 'yes' if the claimant was asked. */
export async function closeOffer(
  tx: Tx,
  { clientUid, eventUid }: OfEvent,
  placeUid: PlaceUid,
  claimantUid: SignInUid,
): Promise<(ClosedOffer & { answer: string }) | undefined> {
  const { rows } = await sql<ClosedOffer & { answer: string }>`
    update floor_offer set answered_at = clock_timestamp(),
      answer = case when to_sign_in_uid = ${claimantUid} then 'yes' else 'taken' end
    where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = ${placeUid} and answered_at is null
    returning uid, to_sign_in_uid, by_sign_in_uid, answer`.execute(tx)
  return rows[0]
}

/**
 * No one is sent there: the place is in a quiet building, or the warden, if one is given, hides in one. A site warden is
 * everywhere, and is asked about the place alone.
 */
export async function isQuietFor(
  db: Db,
  { clientUid, eventUid }: OfEvent,
  placeUid: PlaceUid,
  signInUid: SignInUid | null,
): Promise<boolean> {
  const { rows } = await sql`
    select from event_building eb
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active and ${isQuiet} and (
      eb.building_uid = ${placeUid}
      or exists (select from floor f where f.client_uid = eb.client_uid and f.uid = ${placeUid} and f.building_uid = eb.building_uid)
      or exists (select from warden_sign_in si where si.client_uid = eb.client_uid and si.uid = ${signInUid}
        and ${areaHas(sql`l.building_uid = eb.building_uid`, { clientUid: sql`si.client_uid`, uid: sql`si.assignment_uid` })}))
    limit 1`.execute(db)
  return rows.length > 0
}
