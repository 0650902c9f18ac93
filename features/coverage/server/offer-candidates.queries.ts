import { sql } from 'kysely'
import type { Action } from '#kernel/actions.ts'
import type { SignInUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import { attendance } from '#server/wardens/attendance.ts'
import { floorCoverage } from '#server/wardens/floor-coverage.ts'
import { assignmentIsCurrent } from '#server/wardens/live-session.ts'
import { areaCovers, areaHas } from '#server/wardens/warden-area.ts'
import type { OfEvent, PlaceRow } from './coverage.queries.ts'

export interface CandidateRow {
  signInUid: SignInUid
  name: string
  mobile: string | null
  roleName: string
  /** Of the own floors the nearest one, with its building if it is another one than that of the place. */
  floorName: string | null
  otherBuilding: string | null
  floorsAway: number | null
  /** Each own floor is cleared, or has a second warden. */
  isFree: boolean
  isCleared: boolean
  /** What people of that floor do. */
  action: Action | null
}

/** Wardens on duty who can be asked to take the place, the best first. */
export async function listCandidates(
  db: Db,
  { clientUid, eventUid }: OfEvent,
  place: PlaceRow,
): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    with ${floorCoverage({ clientUid, eventUid })}, own as (
      select po.sign_in_uid, po.place_uid from post po where po.on_duty
      union
      select c.claimed_by_uid, c.place_uid from coverage c where c.claimed_by_uid is not null
    ), state as (
      select own.sign_in_uid, f.name, f.level, f.building_uid, b.name as building_name,
        coalesce(fs.means_clear, false) as is_clear, eb.action,
        c.own_on_duty + (c.claim_uid is not null)::int > 1 as is_double,
        row_number() over (partition by own.sign_in_uid order by f.building_uid <> ${place.buildingUid},
          case when f.building_uid = ${place.buildingUid} then abs(f.level - ${place.level}::int) end, b.name, f.level, f.name) as nth
      from own
      join coverage c on c.place_uid = own.place_uid and c.floor_uid is not null
      join floor f on f.client_uid = ${clientUid} and f.uid = c.floor_uid
      join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
      left join event_floor ef on ef.client_uid = f.client_uid and ef.event_uid = ${eventUid} and ef.floor_uid = f.uid
      left join floor_status fs on fs.client_uid = ef.client_uid and fs.uid = ef.floor_status_uid
      left join event_building eb on eb.client_uid = f.client_uid and eb.event_uid = ${eventUid} and eb.building_uid = f.building_uid
    ), floors as (
      select sign_in_uid, bool_and(is_clear) as is_cleared, bool_and(is_clear or is_double) as is_free from state group by sign_in_uid
    ), held as (
      select claimed_by_uid as sign_in_uid, count(*) as claims from coverage where claimed_by_uid is not null group by claimed_by_uid
    )
    select si.uid as sign_in_uid, p.name, p.mobile, r.name as role_name,
      near.name as floor_name, case when near.building_uid <> ${place.buildingUid} then near.building_name end as other_building,
      case when near.building_uid = ${place.buildingUid} then abs(near.level - ${place.level}::int) end as floors_away,
      coalesce(fl.is_free, true) as is_free, coalesce(fl.is_cleared, false) as is_cleared, near.action
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Floor_Evacuation' = any (r.modules)
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    left join state near on near.sign_in_uid = si.uid and near.nth = 1
    left join floors fl on fl.sign_in_uid = si.uid
    left join held h on h.sign_in_uid = si.uid
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.on_duty and ${assignmentIsCurrent}
      and coalesce(h.claims, 0) < 3
      and not exists (select from own where own.sign_in_uid = si.uid and own.place_uid = ${place.placeUid})
      and not exists (select from floor_offer o where o.client_uid = si.client_uid and o.event_uid = si.event_uid
        and o.to_sign_in_uid = si.uid and (o.answered_at is null and o.ends_at > now()
          or o.place_uid = ${place.placeUid} and o.answer = 'no' and o.answered_at > now() - interval '10 minutes'))
    order by exists (select from command_turn t where t.client_uid = si.client_uid and t.event_uid = si.event_uid
        and t.ended_at is null and t.sign_in_uid = si.uid),
      coalesce(fl.is_free, true) desc, floors_away nulls last, near.building_uid is not null and near.building_uid <> ${place.buildingUid},
      case r.area_domain when 'Building' then 1 when 'Site' then 2 else 0 end,
      coalesce(h.claims, 0), si.on_duty_at, si.uid
    limit 8`.execute(db)
  return rows
}

interface OtherRow {
  signInUid: SignInUid
  name: string
  roleName: string
  mobile: string | null
  status: 'unknown' | 'off_duty'
}

/** Wardens who have not reported in, or went off duty: those of the place first, then of its building. */
export async function listOthers(db: Db, { clientUid, eventUid }: OfEvent, place: PlaceRow): Promise<OtherRow[]> {
  const isOfPlace = areaCovers({ floorUid: sql`${place.floorUid}::uuid`, buildingUid: sql`${place.buildingUid}::uuid` })
  const { rows } = await sql<OtherRow>`
    select si.uid as sign_in_uid, p.name, r.name as role_name, p.mobile, ${attendance} as status
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Floor_Evacuation' = any (r.modules)
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid and p.active
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.closed_at is null
      and ${attendance} in ('unknown', 'off_duty')
    order by ${isOfPlace} desc, ${areaHas(sql`l.building_uid = ${place.buildingUid}`)} desc, ${nameInOrder}, si.uid
    limit 20`.execute(db)
  return rows
}
