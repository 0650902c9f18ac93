import type { BuildingUid, ClientUid, EventUid, FloorUid, SignInUid } from '@evac/contract/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import { floorCoverage } from '../../wardens/floor-coverage.ts'

export interface OfEvent {
  clientUid: ClientUid
  eventUid: EventUid
}

/** A floor, or a building that is covered whole (COV-04). */
export type PlaceUid = FloorUid | BuildingUid

export interface PlaceRow {
  placeUid: PlaceUid
  buildingUid: BuildingUid
  buildingName: string
  /** Null: the building is covered whole. */
  floorUid: FloorUid | null
  floorName: string | null
  /** Wardens on duty whose assignment covers the place. */
  ownOnDuty: number
  claim: { signInUid: SignInUid; name: string; at: string } | null
  gapSince: Date | null
  /** The open offer of the place. */
  asked: { name: string; secondsAgo: number } | null
}

/** Every place of the event that needs a warden, by building and level. */
export async function listPlaces(db: Db, { clientUid, eventUid }: OfEvent): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    with ${floorCoverage({ clientUid, eventUid })}
    select c.place_uid, c.building_uid, b.name as building_name, c.floor_uid, f.name as floor_name,
      c.own_on_duty::int as own_on_duty, c.gap_since,
      case when c.claim_uid is not null then jsonb_build_object('signInUid', c.claimed_by_uid,
        'name', p.first_name || ' ' || p.last_name, 'at', c.claimed_at) end as claim,
      case when o.uid is not null then jsonb_build_object('name', op.first_name || ' ' || op.last_name,
        'secondsAgo', extract(epoch from now() - o.offered_at)::int) end as asked
    from coverage c
    join building b on b.client_uid = ${clientUid} and b.uid = c.building_uid
    left join floor f on f.client_uid = ${clientUid} and f.uid = c.floor_uid
    left join warden_sign_in si on si.client_uid = ${clientUid} and si.uid = c.claimed_by_uid
    left join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    left join floor_offer o on o.client_uid = ${clientUid} and o.event_uid = ${eventUid} and o.place_uid = c.place_uid
      and o.answered_at is null and o.ends_at > now()
    left join warden_sign_in osi on osi.client_uid = o.client_uid and osi.uid = o.to_sign_in_uid
    left join person op on op.client_uid = osi.client_uid and op.uid = osi.person_uid
    order by b.name, b.uid, f.level desc, f.name, f.uid`.execute(db)
  return rows
}
