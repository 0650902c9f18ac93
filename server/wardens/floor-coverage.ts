import { type RawBuilder, sql } from 'kysely'
import { assignmentIsCurrent } from './live-session.ts'
import { areaPlaces } from './warden-area.ts'

interface OfEvent {
  clientUid: unknown
  eventUid: unknown
}

/**
 * Claim `fc` of sign-in `si` has not ended. Who went off duty and came back holds nothing. A building that left
 * the event and came back is for the reader to exclude: its `added_at` is later than the claim.
 */
export const claimStands = sql<boolean>`(fc.ended_at is null and si.on_duty and si.on_duty_at <= fc.claimed_at)`

/**
 * Which wardens look after which place of the event, and since when no one does. Parts of a `with`; the last one,
 * `coverage`, has a row for each place that needs a warden:
 *
 * - `building_uid`, `floor_uid`: a floor in use; null for a building covered whole, which is one place.
 * - `place_uid`: the floor, or the building covered whole.
 * - `own_on_duty`: the number of wardens on duty whose assignment names the place, or the site.
 *   `own_sign_in_uid`: the first of them. Null without one.
 * - `claim_uid`, `claimed_by_uid` (a sign-in), `claimed_at`: the claim that stands, if any.
 * - `gap_since`: null while the place is covered.
 *
 * `post` has each sign-in `sign_in_uid` with a `place_uid` of its area, `on_duty` or not, and `off_duty_at`.
 */
export const floorCoverage = ({ clientUid, eventUid }: OfEvent): RawBuilder<unknown> => sql`
  joined as (
    select eb.client_uid, eb.building_uid, eb.added_at
    from event_building eb
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
  ), post as materialized (
    -- closed ones, too: they tell when the last warden left
    select si.uid as sign_in_uid, si.on_duty, si.on_duty_at, si.off_duty_at, coalesce(l.floor_uid, j.building_uid) as place_uid,
      case when l.floor_uid is not null and si.closed_at is null and ${assignmentIsCurrent} then j.building_uid end as names_floor_of
    from warden_sign_in si
    -- looked up one by one, also by a plan that was made when there were few
    cross join lateral (
      select * from warden_assignment where client_uid = si.client_uid and uid = si.assignment_uid offset 0) a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    left join ${areaPlaces} l on l.client_uid = a.client_uid and l.assignment_uid = a.uid and r.area_domain <> 'Site'
    join joined j on j.client_uid = si.client_uid and (r.area_domain = 'Site' or j.building_uid = l.building_uid)
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid}
  ), by_floor as (
    select distinct names_floor_of as building_uid from post where names_floor_of is not null
  ), place as (
    select f.client_uid, f.building_uid, f.uid as floor_uid, f.uid as place_uid, j.added_at
    from joined j
    join floor f on f.client_uid = j.client_uid and f.building_uid = j.building_uid and f.retired_at is null
    where j.building_uid in (select building_uid from by_floor)
    union all
    select j.client_uid, j.building_uid, null, j.building_uid, j.added_at
    from joined j where j.building_uid not in (select building_uid from by_floor)
  ), claim as (
    select fc.uid, fc.place_uid, fc.sign_in_uid, fc.claimed_at, ${claimStands} and fc.claimed_at >= j.added_at as stands,
      coalesce(fc.ended_at, si.off_duty_at) as ended_at
    from floor_claim fc
    join joined j on j.client_uid = fc.client_uid and j.building_uid = fc.building_uid
    cross join lateral (select * from warden_sign_in where client_uid = fc.client_uid and uid = fc.sign_in_uid offset 0) si
    where fc.client_uid = ${clientUid} and fc.event_uid = ${eventUid}
  ), known as (
    -- one pass over all of it: joins of parts without statistics would be nested loops
    select place_uid, building_uid, floor_uid, added_at as since, true as is_place,
      false as on_duty, null::timestamptz as on_duty_at, null::uuid as sign_in_uid, null::uuid as claim_uid from place
    union all
    select place_uid, null, null, off_duty_at, false, on_duty, on_duty_at, sign_in_uid, null from post
    union all
    select place_uid, null, null, case when stands then claimed_at else ended_at end, false, false, null, sign_in_uid,
      case when stands then uid end from claim
  ), coverage as (
    select place_uid, (array_agg(building_uid) filter (where is_place))[1] as building_uid,
      (array_agg(floor_uid) filter (where is_place))[1] as floor_uid,
      count(*) filter (where on_duty) as own_on_duty,
      (array_agg(sign_in_uid order by on_duty_at, sign_in_uid) filter (where on_duty))[1] as own_sign_in_uid,
      (array_agg(claim_uid) filter (where claim_uid is not null))[1] as claim_uid,
      (array_agg(sign_in_uid) filter (where claim_uid is not null))[1] as claimed_by_uid,
      (array_agg(since) filter (where claim_uid is not null))[1] as claimed_at,
      case when not bool_or(on_duty or claim_uid is not null) then max(since) end as gap_since
    from known group by place_uid having bool_or(is_place)
  )`
