import { sql } from 'kysely'
import type { BoardSource } from '../kinds.ts'
import type { BoardOf } from './one-moment.ts'

/**
 * Parts of a `with` that tell who set the status of a floor: its own wardens, its claimants, event managers. `offset 0`:
 * looked up one by one, also by a plan that was made when there were few.
 */
export const statusSources = ({ clientUid, eventUid }: BoardOf) => sql`
    own_post as (
      select si.person_uid, al.floor_uid
      from warden_sign_in si
      cross join lateral (
        select floor_uid from assignment_location
        where client_uid = si.client_uid and assignment_uid = si.assignment_uid and floor_uid is not null offset 0) al
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid}
    ), claimant as (
      -- a claim counts for what its holder recorded meanwhile, also when it has ended
      select si.person_uid, c.floor_uid
      from floor_claim c
      cross join lateral (select person_uid from warden_sign_in where client_uid = c.client_uid and uid = c.sign_in_uid offset 0) si
      cross join lateral (
        select updated_at from event_floor
        where client_uid = c.client_uid and event_uid = c.event_uid and floor_uid = c.floor_uid offset 0) ef
      where c.client_uid = ${clientUid} and c.event_uid = ${eventUid}
        and ef.updated_at between c.claimed_at and coalesce(c.ended_at, 'infinity')
    ), manager as (
      select si.person_uid
      from warden_sign_in si
      cross join lateral (
        select * from warden_assignment where client_uid = si.client_uid and uid = si.assignment_uid offset 0) a
      cross join lateral (select * from warden_role where client_uid = a.client_uid and uid = a.role_uid offset 0) r
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and 'Event_Management' = any (r.modules)
    )`

/**
 * Null for the own warden or claimant of floor `ef`, and before the first change. Lists that are hashed whatever the statistics are:
 * joined, each floor was compared with each warden's floor.
 */
export const setBy = sql<BoardSource | null>`
  case when ef.updated_by_person_uid is null
      or (ef.updated_by_person_uid, ef.floor_uid) in (select person_uid, floor_uid from own_post)
      or (ef.updated_by_person_uid, ef.floor_uid) in (select person_uid, floor_uid from claimant) then null
    when ef.updated_by_person_uid in (select person_uid from manager) then 'm' else 'b' end`
