import { sql } from 'kysely'
import type { BuildingUid, FloorOfferUid, FloorUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { OfEvent, PlaceRow, PlaceUid } from './coverage.queries.ts'
import type { ClosedOffer } from './floor-claims.queries.ts'

/** The warden of the event whom an offer is for. Undefined for one of another event, or who may not take floors. */
export async function findAsked(tx: Tx, { clientUid, eventUid }: OfEvent, signInUid: SignInUid) {
  const { rows } = await sql<{ name: string }>`
    select p.name
    from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Floor_Evacuation' = any (r.modules)
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.uid = ${signInUid} and si.closed_at is null`.execute(
    tx,
  )
  return rows[0]
}

/** A lapsed offer is closed by the next one. */
export async function closeLapsed(
  tx: Tx,
  { clientUid, eventUid }: OfEvent,
  placeUid: PlaceUid,
): Promise<ClosedOffer | undefined> {
  const { rows } = await sql<ClosedOffer>`
    update floor_offer set answered_at = clock_timestamp(), answer = 'lapsed'
    where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = ${placeUid} and answered_at is null
      and ends_at <= clock_timestamp()
    returning uid, to_sign_in_uid, by_sign_in_uid`.execute(tx)
  return rows[0]
}

export async function insertOffer(
  tx: Tx,
  { clientUid, eventUid }: OfEvent,
  { buildingUid, floorUid }: PlaceRow,
  { to, by, seconds }: { to: SignInUid; by: SignInUid; seconds: number },
): Promise<{ uid: FloorOfferUid }> {
  const { rows } = await sql<{ uid: FloorOfferUid }>`
    insert into floor_offer (client_uid, event_uid, building_uid, floor_uid, to_sign_in_uid, by_sign_in_uid, offered_at, ends_at)
    values (${clientUid}, ${eventUid}, ${buildingUid}, ${floorUid}, ${to}, ${by}, clock_timestamp(),
      clock_timestamp() + make_interval(secs => ${seconds}))
    returning uid`.execute(tx)
  return rows[0] as { uid: FloorOfferUid }
}

interface OfferRow extends ClosedOffer {
  placeUid: PlaceUid
  answer: string | null
}

/** An offer to this warden. */
export function findOffer(db: Db, { clientUid, eventUid }: OfEvent, uid: FloorOfferUid, toSignInUid: SignInUid) {
  return db
    .selectFrom('floorOffer')
    .select(['uid', 'placeUid', 'toSignInUid', 'bySignInUid', 'answer'])
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('uid', '=', uid)
    .where('toSignInUid', '=', toSignInUid)
    .$castTo<OfferRow>()
    .executeTakeFirst()
}

/** A late 'yes' replaces that the offer had lapsed; so does a late 'no'. */
export async function setAnswer(tx: Tx, { clientUid }: OfEvent, uid: FloorOfferUid, answer: 'yes' | 'no') {
  await sql`
    update floor_offer set answered_at = clock_timestamp(), answer = ${answer}
    where client_uid = ${clientUid} and uid = ${uid} and coalesce(answer, 'lapsed') = 'lapsed'`.execute(tx)
}

export interface OwnOffer {
  uid: FloorOfferUid
  placeUid: PlaceUid
  buildingUid: BuildingUid
  buildingName: string
  floorUid: FloorUid | null
  floorName: string | null
  takenBy: string | null
}

/** The newest offer to the warden that is open, or was taken by another within the last minute. */
export async function findOwnOffer(
  db: Db,
  { clientUid, eventUid }: OfEvent,
  signInUid: SignInUid,
): Promise<OwnOffer | undefined> {
  const { rows } = await sql<OwnOffer>`
    select o.uid, o.place_uid, o.building_uid, b.name as building_name, o.floor_uid, f.name as floor_name,
      (select p.name from floor_claim fc
        join warden_sign_in si on si.client_uid = fc.client_uid and si.uid = fc.sign_in_uid
        join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
        where o.answer = 'taken' and fc.client_uid = o.client_uid and fc.event_uid = o.event_uid
          and fc.place_uid = o.place_uid and fc.claimed_at <= o.answered_at
        order by fc.claimed_at desc limit 1) as taken_by
    from floor_offer o
    join building b on b.client_uid = o.client_uid and b.uid = o.building_uid
    left join floor f on f.client_uid = o.client_uid and f.uid = o.floor_uid
    where o.client_uid = ${clientUid} and o.event_uid = ${eventUid} and o.to_sign_in_uid = ${signInUid}
      and (o.answered_at is null or o.answer = 'taken' and o.answered_at > now() - interval '1 minute')
    order by o.answered_at is null desc, o.offered_at desc limit 1`.execute(db)
  return rows[0]
}

/** Whether anyone, or that warden, may hold a place: without computing the coverage. */
export async function hasClaims(db: Db, { clientUid, eventUid }: OfEvent, signInUid?: SignInUid): Promise<boolean> {
  const { rows } = await sql`
    select from floor_claim where client_uid = ${clientUid} and event_uid = ${eventUid} and ended_at is null
      and sign_in_uid = coalesce(${signInUid ?? null}::uuid, sign_in_uid) limit 1`.execute(db)
  return rows.length > 0
}
