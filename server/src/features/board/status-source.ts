import type { BoardSource } from '@evac/contract/command/board-words.ts'
import { sql } from 'kysely'
import type { BoardOf } from './board-of.ts'

/** BOARD-08: parts of a `with` that tell who set the status of a floor: its own wardens, its claimants, event managers. */
export const statusSources = ({ clientUid, eventUid }: BoardOf) => sql`
    own_post as (
      select distinct si.person_uid, al.floor_uid
      from warden_sign_in si
      join assignment_location al on al.client_uid = si.client_uid and al.assignment_uid = si.assignment_uid
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and al.floor_uid is not null
    ), claimant as (
      -- a claim counts for what its holder recorded meanwhile, also when it has ended
      select distinct si.person_uid, c.floor_uid
      from floor_claim c
      join warden_sign_in si on si.client_uid = c.client_uid and si.uid = c.sign_in_uid
      join event_floor ef on ef.client_uid = c.client_uid and ef.event_uid = c.event_uid and ef.floor_uid = c.floor_uid
      where c.client_uid = ${clientUid} and c.event_uid = ${eventUid}
        and ef.updated_at between c.claimed_at and coalesce(c.ended_at, 'infinity')
    ), manager as (
      select distinct si.person_uid
      from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and 'Event_Management' = any (r.modules)
    )`

/** Null for the own warden or claimant of floor `ef`, and before the first change. */
export const setBy = sql<BoardSource | null>`
  case when ef.updated_by_person_uid is null or own_post.person_uid is not null or claimant.person_uid is not null then null
    when manager.person_uid is not null then 'm' else 'b' end`

export const joinSources = sql`
  left join own_post on own_post.person_uid = ef.updated_by_person_uid and own_post.floor_uid = ef.floor_uid
  left join claimant on claimant.person_uid = ef.updated_by_person_uid and claimant.floor_uid = ef.floor_uid
  left join manager on manager.person_uid = ef.updated_by_person_uid`
