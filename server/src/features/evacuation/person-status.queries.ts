import type { PersonUid } from '@evac/contract/ids.ts'
import type { SafetyStatus } from '@evac/contract/vocabulary.ts'
import { type RawBuilder, sql } from 'kysely'
import { prepared, type Tx } from '../../platform/db/db.ts'
import { assignmentIsCurrent, liveSession } from '../../wardens/live-session.ts'
import { moveInTallies } from './tally.queries.ts'

export interface StatusRecord {
  /** The caller's session. It decides the client and the event. */
  tokenHash: Buffer
  /** The module that the call requires, without 'Module_'. */
  module: string
  evacueePersonUid: string
  /** Where the person was seen. Null leaves the place unchanged. */
  floorUid: string | null
  status: SafetyStatus
  onFloor: boolean
  /** As the phone reports it. Null if it reports none. */
  seenSecondsAgo: number | null
  /** The time of the observation on the phone's own clock. */
  seenByPhoneMs: number | null
  key: string | null
  fingerprint: Buffer
}

export interface StatusRecorded {
  status: SafetyStatus
  onFloor: boolean
  superseded: boolean
  /** False: the building of the observation has just left the event. Nothing was changed. */
  isInEvent: boolean
  /** False: the key was used before. Nothing was changed. */
  claimed: boolean
}

/**
 * The hot write of the product: one statement, one round trip. No row means that nothing was changed; the guard then
 * says why. It runs as `evac_system` before the client is known, so each join carries the client of the token's row.
 *
 * 1. `actor` finds the session and applies the policy: on duty, with the call's module.
 * 2. `clock` computes the time of the observation, counted back from the database's steady time. Clocks of servers
 *    differ, and any clock may be set. The journal keeps wall time.
 * 3. `target` locks the person's row. A statement that waited for the lock sees the winner's row, so the counts move by
 *    what really changed. Without a floor, the place is the one in the locked row.
 *    Two observations of one session within 30 s keep the order of the phone's clock. Otherwise a danger whose request
 *    was slow would look newer than the tap that corrected it.
 * 4. `held` locks the building of the observation in the event. A removal under way finishes first, a later one waits.
 * 5. `dated` compares the observation with the stored one:
 *    - A "safe" or "unknown" observed before a newer danger, or before the event began, is superseded. It is journaled
 *      and changes nothing.
 *    - A danger observed before the event began counts from the beginning: a false alarm does less harm.
 *    - A danger older than the stored danger does not change the status.
 * 6. `placed` decides whether the place stays. An older danger sets the place only if nobody saw the person since.
 * 7. `ruled` has the new values. `claim` inserts the idempotency key. `accepted` is empty if the key was used before.
 * 8. `changed` updates the person, then the tallies of both places and the journal follow.
 */
export function recordStatus(r: StatusRecord): RawBuilder<StatusRecorded> {
  return sql<StatusRecorded>`${prepared('record_status')}
    with actor as (
      select s.client_uid, s.person_uid, s.uid as session_uid, e.uid as event_uid, e.began_at, si.uid as sign_in_uid
      from ${liveSession(r.tokenHash)} and si.on_duty and ${assignmentIsCurrent} and ${r.module}::text = any (r.modules)
    ), clock as (
      select now_at, seen_at - case when seen_at < jumped_at then jump else interval '0' end as seen_at
      from (
        select now() + ahead as now_at, now() + ahead - make_interval(secs => ${r.seenSecondsAgo}::float8) as seen_at,
          jumped_at, jump
        from steady_clock
      ) k
    ), target as (
      select e.client_uid, e.uid, e.event_uid, e.person_uid, e.status, e.on_floor, e.refused, e.status_observed_at,
        e.place_uid, e.floor_uid, e.building_uid, e.place_seen_at,
        coalesce(e.text_status_at = e.status_at, false) as by_sms,
        ${r.status}::text as new_status, ${r.onFloor}::boolean as new_on_floor,
        case when ${r.floorUid}::uuid is null then e.floor_uid else ef.floor_uid end as new_floor_uid,
        coalesce(ef.building_uid, e.building_uid) as new_building_uid,
        coalesce(ef.floor_uid, e.place_uid) as new_place_uid,
        case when e.sight_session_uid = actor.session_uid and e.sight_phone_ms <= ${r.seenByPhoneMs}::bigint
          and e.sight_at = e.status_observed_at and e.sight_at < clock.seen_at + interval '30 seconds'
          then greatest(clock.seen_at, e.sight_at) else clock.seen_at end as seen_at,
        clock.now_at, actor.began_at, actor.session_uid, actor.person_uid as actor_person_uid, actor.sign_in_uid as actor_sign_in_uid
      from actor
      cross join clock
      join evacuee e on e.client_uid = actor.client_uid and e.event_uid = actor.event_uid
        and e.person_uid = ${r.evacueePersonUid}::uuid and e.active
      left join (event_floor ef join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
          and eb.building_uid = ef.building_uid and eb.active)
        on ef.client_uid = actor.client_uid and ef.event_uid = actor.event_uid and ef.floor_uid = ${r.floorUid}::uuid
      where ${r.floorUid}::uuid is null or ef.floor_uid is not null
      for update of e
    ), held as (
      select from event_building eb
      join target t on t.client_uid = eb.client_uid and t.event_uid = eb.event_uid and t.new_building_uid = eb.building_uid
      where eb.active and t.building_uid <> t.new_building_uid
      for share of eb
    ), dated as (
      select *, greatest(coalesce(seen_at, now_at), began_at,
          case when status = 'danger' and new_status = 'danger' then status_observed_at end) as observed_at,
        coalesce(new_status = 'danger' and status = 'danger' and status_observed_at > seen_at, false) as is_older,
        coalesce(new_status <> 'danger' and (began_at > seen_at
          or status = 'danger' and status_observed_at > seen_at), false) as superseded,
        building_uid = new_building_uid or exists (select from held) as is_in_event
      from target
    ), placed as materialized ( -- otherwise each column below evaluates the rules again
      select *, superseded or is_older and (${r.floorUid}::uuid is null or coalesce(place_seen_at > seen_at, false)) as stays
      from dated
    ), ruled as (
      select *, case when superseded then status else new_status end as to_status,
        case when stays then on_floor else new_on_floor end as to_on_floor,
        case when stays then floor_uid else new_floor_uid end as to_floor_uid,
        case when stays then building_uid else new_building_uid end as to_building_uid,
        case when stays then place_uid else new_place_uid end as to_place_uid, refused as to_refused,
        case when stays or ${r.floorUid}::uuid is null then place_seen_at else coalesce(seen_at, now_at) end as to_place_seen_at
      from placed
    ), claim as (
      insert into idempotency (person_uid, key, fingerprint, reply)
      select actor_person_uid, ${r.key}::text, ${r.fingerprint}::bytea, jsonb_build_object(
        'status', 'success', 'superseded', superseded, 'person', jsonb_build_object('id', person_uid,
          'status', to_status, 'on_floor', to_on_floor))
      from ruled where is_in_event and ${r.key}::text is not null
      on conflict (person_uid, key) do nothing
      returning true as mine
    ), accepted as (
      select ruled.* from ruled where is_in_event and (${r.key}::text is null or exists (select from claim))
    ), changed as (
      update evacuee e
      set status = t.to_status, on_floor = t.to_on_floor, floor_uid = t.to_floor_uid, building_uid = t.to_building_uid,
        place_seen_at = t.to_place_seen_at, status_observed_at = t.observed_at,
        status_by_person_uid = case when t.is_older and not t.by_sms then e.status_by_person_uid else t.actor_person_uid end,
        status_at = case when t.is_older and not t.by_sms then e.status_at else t.now_at end,
        sight_at = t.seen_at, sight_session_uid = t.session_uid, sight_phone_ms = ${r.seenByPhoneMs}::bigint
      from accepted t
      where e.client_uid = t.client_uid and e.uid = t.uid and not t.superseded
    ), ${moveInTallies}, journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, actor_sign_in_uid, action, subject_type, subject_uid,
        before, after, observed_at, key)
      select client_uid, event_uid, actor_person_uid, actor_sign_in_uid, 'evacuee_status_set', 'evacuee',
        person_uid, jsonb_build_object('status', status, 'on_floor', on_floor, 'floor_uid', floor_uid),
        jsonb_build_object('status', new_status, 'on_floor', new_on_floor, 'floor_uid', new_floor_uid, 'superseded', superseded),
        seen_at - (now_at - now()), ${r.key}::text
      from accepted
    )
    select to_status as status, to_on_floor as "onFloor", superseded, is_in_event as "isInEvent",
      ${r.key}::text is null or exists (select from claim) as claimed
    from ruled`
}

export interface RefusalToggle {
  clientUid: string
  eventUid: string
  evacueePersonUid: string
  floorUid: string
  actorPersonUid: string
  /** Time, and name of the warden who recorded the refusal. Stored only while refused (AMB-110). */
  detail: string
}

/** Flips the refusal and its tally. Undefined if person or floor are not in the event (FLOOR-50). */
export async function flipRefusal(
  tx: Tx,
  r: RefusalToggle,
): Promise<{ refused: boolean; floorUid: string | null } | undefined> {
  const { rows } = await sql<{ refused: boolean; floorUid: string | null }>`
    with accepted as (
      select e.client_uid, e.uid, e.event_uid, e.place_uid, e.status, e.refused, e.place_uid as to_place_uid,
        e.status as to_status, not e.refused as to_refused
      from evacuee e
      join event_floor ef on ef.client_uid = e.client_uid and ef.event_uid = e.event_uid and ef.floor_uid = ${r.floorUid}
      join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
        and eb.building_uid = ef.building_uid and eb.active
      where e.client_uid = ${r.clientUid} and e.event_uid = ${r.eventUid} and e.person_uid = ${r.evacueePersonUid} and e.active
      for update of e
    ), ${moveInTallies}
    update evacuee e set refused = t.to_refused, refusal_detail = case when t.to_refused then ${r.detail} else '' end
    from accepted t
    where e.client_uid = t.client_uid and e.uid = t.uid
    returning e.refused, e.floor_uid`.execute(tx)
  return rows[0]
}

export async function findPersonName(tx: Tx, personUid: PersonUid): Promise<string> {
  const row = await tx
    .selectFrom('person')
    .select(['firstName', 'lastName'])
    .where('uid', '=', personUid)
    .executeTakeFirstOrThrow()
  return `${row.firstName} ${row.lastName}`
}
