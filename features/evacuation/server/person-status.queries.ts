import { type RawBuilder, sql } from 'kysely'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import { claimKeys } from '#server/http/idempotency.ts'
import { apartByRow, type SentOnDuty, senderOf } from '#server/http/record-on-duty.ts'
import { each, type RecordKind } from '#server/platform/db/batches.ts'
import { prepared } from '#server/platform/db/db.ts'
import { countedBack } from '#server/platform/db/steady-clock.ts'
import { actorsOnDuty } from '#server/wardens/live-session.ts'
import { inBuilding, moveInTallies } from './tally.queries.ts'

export interface StatusRecord extends SentOnDuty {
  evacueePersonUid: string
  /** Where the person was seen. Null leaves the place unchanged. */
  floorUid: string | null
  status: SafetyStatus
  onFloor: boolean
  /** As the phone reports it. Null if it reports none. */
  seenSecondsAgo: number | null
  /** The time of the observation on the phone's own clock. */
  seenByPhoneMs: number | null
}

export interface StatusRecorded {
  status: SafetyStatus
  onFloor: boolean
  superseded: boolean
  /** False: the key was used before. Nothing was changed. */
  claimed: boolean
}

/**
 * The hot write of the product: one statement and one round trip for all records that wait. A record without a row
 * changed nothing; the guard then says why. No two records may be about one person or have one key.
 *
 * The statement runs as `evac_system` before the clients are known, so each join carries the client of the token's row.
 * All rows are locked before anything is counted: people in order of their uid, then buildings, then tallies in order of
 * place. A statement that waited for a person sees the winner's row, so the counts move by what really changed.
 */
export const statusRecords: RecordKind<StatusRecord, StatusRecorded> = {
  name: 'record_status',
  statement: recordStatuses,
  senderOf,
  apartBy: ({ evacueePersonUid, key }) => apartByRow(evacueePersonUid, key),
}

function recordStatuses(records: readonly StatusRecord[]): RawBuilder<StatusRecorded & { n: number }> {
  const all = each(records)
  return sql<StatusRecorded & { n: number }>`${prepared('record_status')}
    with asked as (
      -- 1. The records as sent, numbered from 1.
      select *
      from unnest(${all('tokenHash')}::bytea[], ${all('module')}::text[], ${all('evacueePersonUid')}::uuid[],
          ${all('floorUid')}::uuid[], ${all('status')}::text[], ${all('onFloor')}::boolean[],
          ${all('seenSecondsAgo')}::float8[], ${all('seenByPhoneMs')}::bigint[], ${all('key')}::text[],
          ${all('fingerprint')}::bytea[]) with ordinality
        as r (token_hash, module, asked_person_uid, asked_floor_uid, new_status, new_on_floor,
          seconds_ago, phone_ms, key, fingerprint, n)
    ), actor as materialized (
      -- 2. The senders who may record: on duty, with the module of the call.
      ${actorsOnDuty}
    ), target as (
      -- 3. The people, locked. Without a floor the place is the one in the locked row.
      select a.*, e.uid, e.person_uid, e.status, e.on_floor, e.refused, e.status_observed_at,
        e.place_uid, e.floor_uid, e.building_uid, e.place_seen_at, e.sight_at, e.sight_session_uid, e.sight_phone_ms, e.set_back_at,
        coalesce(greatest(e.text_status_at, e.self_status_at) = e.status_at, false) as is_own_word,
        case when a.asked_floor_uid is null then e.floor_uid else ef.floor_uid end as new_floor_uid,
        coalesce(ef.building_uid, e.building_uid) as new_building_uid, coalesce(ef.floor_uid, e.place_uid) as new_place_uid
      from actor a
      join evacuee e on e.client_uid = a.client_uid and e.event_uid = a.event_uid
        and e.person_uid = a.asked_person_uid and e.active
      left join lateral (
        select ef.floor_uid, ef.building_uid
        from event_floor ef
        join event_building eb on eb.client_uid = a.client_uid and eb.event_uid = a.event_uid
          and eb.building_uid = ef.building_uid and eb.active
        where ef.client_uid = a.client_uid and ef.event_uid = a.event_uid and ef.floor_uid = a.asked_floor_uid offset 0
      ) ef on true
      where a.asked_floor_uid is null or ef.floor_uid is not null
      order by e.uid
      for no key update of e
    ), held as (
      -- 4. The buildings that people move to, locked: a removal under way finishes first, a later one waits.
      select eb.event_uid, eb.building_uid
      from event_building eb
      join target t on t.client_uid = eb.client_uid and t.event_uid = eb.event_uid and t.new_building_uid = eb.building_uid
      where eb.active and t.building_uid <> t.new_building_uid
      order by eb.building_uid
      for share of eb
    ), ${countedBack}, seen as (
      -- 5. Two observations of one session within 30 s keep the order of the phone's clock. Otherwise a danger whose
      --    request was slow would look newer than the tap that corrected it.
      select c.*, case when sight_session_uid = session_uid and sight_phone_ms <= phone_ms
          and sight_at = status_observed_at and sight_at < c.seen_at + interval '30 seconds'
        then greatest(c.seen_at, sight_at) else c.seen_at end as sight
      from counted_back c
    ), dated as (
      -- 6. Was this seen before the event began, or before a drill became live? Before the danger that stands? Is the place still in the event?
      select *, coalesce(sight < greatest(began_at, set_back_at), false) as is_early,
        coalesce(status = 'danger' and sight < status_observed_at, false) as is_late,
        building_uid = new_building_uid or (event_uid, new_building_uid) in (select * from held) as is_in_event
      from seen
    ), judged as (
      -- 7. An early or late "safe" or "unknown" is superseded: journaled, and changes nothing. A danger counts in any
      --    case, because a false alarm does less harm; a late one does not change the status.
      select *, new_status <> 'danger' and (is_early or is_late) as superseded, new_status = 'danger' and is_late as is_older
      from dated
    ), placed as materialized ( -- otherwise each column below evaluates the rules again
      -- 8. A superseded record keeps the place. An older danger sets it only if no one saw the person since.
      select *, superseded or is_older and (asked_floor_uid is null or coalesce(sight < place_seen_at, false)) as stays
      from judged
    ), ruled as (
      -- 9. The new values. A danger counts from the danger that stands or later, everything from the beginning or later.
      select *, case when superseded then status else new_status end as to_status,
        case when stays then on_floor else new_on_floor end as to_on_floor,
        case when stays then floor_uid else new_floor_uid end as to_floor_uid,
        case when stays then building_uid else new_building_uid end as to_building_uid,
        case when stays then place_uid else new_place_uid end as to_place_uid, refused as to_refused,
        case when stays or asked_floor_uid is null then place_seen_at else coalesce(sight, now_at) end as to_place_seen_at,
        greatest(coalesce(sight, now_at), began_at, set_back_at,
          case when status = 'danger' and new_status = 'danger' then status_observed_at end) as observed_at
      from placed
    ), disputed as (
      -- 10. Do this record and the one that stands contradict each other? Two phones told within 5 minutes that
      --     the person is safe and in danger, on two floors that they named.
      select *, status <> new_status and 'unknown' not in (status, new_status)
          and asked_floor_uid <> floor_uid and place_seen_at >= status_observed_at
          and sight_session_uid <> session_uid
          and observed_at between status_observed_at - interval '5 minutes' and status_observed_at + interval '5 minutes'
        as is_in_two_places
      from ruled
    ), kept as (
      -- 11. The keys, each with its reply. A building that has just left the event keeps nothing.
      select *, jsonb_build_object('status', 'success', 'superseded', superseded, 'person',
        jsonb_build_object('id', person_uid, 'status', to_status, 'on_floor', to_on_floor)) as reply
      from disputed where is_in_event
    ), ${claimKeys('kept')}, accepted as (
      select * from answered where claimed
    ), changed as (
      -- 12. The people, their tallies and the journal. A record that counts settles a dispute, unless it is older.
      update evacuee e
      set status = t.to_status, on_floor = t.to_on_floor, floor_uid = t.to_floor_uid, building_uid = t.to_building_uid,
        place_seen_at = t.to_place_seen_at, status_observed_at = t.observed_at,
        status_by_person_uid = case when t.is_older and not t.is_own_word then e.status_by_person_uid else t.actor_person_uid end,
        status_at = case when t.is_older and not t.is_own_word then e.status_at else t.now_at end,
        sight_at = t.sight, sight_session_uid = t.session_uid, sight_phone_ms = t.phone_ms, seen_before_at = null,
        dispute = case when t.is_in_two_places then 'two_places' when t.is_older then e.dispute end,
        dispute_at = case when t.is_in_two_places then e.status_observed_at when t.is_older then e.dispute_at end
      from accepted t
      where e.client_uid = t.client_uid and e.uid = t.uid and not t.superseded
    ), overruled as (
      -- 13. A superseded record leaves its trace: what was seen before the event began, and a late "safe". That hides no other
      --     dispute, and of several the one stays that was seen last, in whatever order they came.
      update evacuee e
      set seen_before_at = case when t.is_early then t.sight else e.seen_before_at end,
        dispute = case when t.is_late_safe then coalesce(e.dispute, 'late_safe') else e.dispute end,
        dispute_at = case when t.is_late_safe and coalesce(e.dispute, 'late_safe') = 'late_safe' then greatest(e.dispute_at, t.sight)
          else e.dispute_at end
      from (select *, is_late and not is_early and new_status = 'safe' as is_late_safe from accepted where superseded) t
      where e.client_uid = t.client_uid and e.uid = t.uid
    ), ${moveInTallies}, journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, action, subject_type,
        subject_uid, before, after, observed_at, key)
      select client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, 'evacuee_status_set', 'evacuee',
        person_uid,
        jsonb_build_object('status', status, 'on_floor', on_floor, 'floor_uid', floor_uid) || ${inBuilding('')}
          || case when refused then '{"refused": true}' else '{}' end::jsonb,
        jsonb_build_object('status', new_status, 'on_floor', new_on_floor, 'floor_uid', new_floor_uid, 'superseded', superseded)
          || ${inBuilding('new_')} || case when stays then '{"stays": true}' else '{}' end::jsonb,
        sight - (now_at - now()), key
      from accepted
    )
    select n, to_status as status, to_on_floor as "onFloor", superseded, claimed from answered`
}

export interface RefusalToggle extends SentOnDuty {
  evacueePersonUid: string
  /** A floor of the event. The person stays where the event has them. */
  floorUid: string
  /** ISO 8601. Stored with the warden's name while refused. */
  notedAt: string
  /** As the phone reports it. Null if it reports none. */
  seenSecondsAgo: number | null
}

export interface RefusalToggled {
  /** 'add': the person refuses now. */
  action: 'add' | 'sub'
  /** False: the key was used before. Nothing was changed. */
  claimed: boolean
}

/** Locks as `statusRecords` does: people in order of their uid, then tallies in order of place. */
export const refusalToggles: RecordKind<RefusalToggle, RefusalToggled> = {
  name: 'toggle_refusal',
  statement: flipRefusals,
  senderOf,
  apartBy: ({ evacueePersonUid, key }) => apartByRow(evacueePersonUid, key),
}

function flipRefusals(toggles: readonly RefusalToggle[]): RawBuilder<RefusalToggled & { n: number }> {
  const all = each(toggles)
  return sql<RefusalToggled & { n: number }>`${prepared('toggle_refusal')}
    with asked as (
      -- 1. The presses as sent, numbered from 1.
      select *
      from unnest(${all('tokenHash')}::bytea[], ${all('module')}::text[], ${all('evacueePersonUid')}::uuid[],
          ${all('floorUid')}::uuid[], ${all('notedAt')}::text[], ${all('seenSecondsAgo')}::float8[], ${all('key')}::text[],
          ${all('fingerprint')}::bytea[]) with ordinality
        as r (token_hash, module, asked_person_uid, asked_floor_uid, noted_at, seconds_ago, key, fingerprint, n)
    ), actor as materialized (
      -- 2. The senders who may record: on duty, with the module of the call.
      ${actorsOnDuty}
    ), target as (
      -- 3. The people, locked. A press that waited for another flips what that one left.
      select a.*, e.uid, e.person_uid, e.place_uid, e.floor_uid, e.building_uid, e.status, e.refused,
        not e.refused as to_refused
      from actor a
      join evacuee e on e.client_uid = a.client_uid and e.event_uid = a.event_uid
        and e.person_uid = a.asked_person_uid and e.active
      join event_floor ef on ef.client_uid = a.client_uid and ef.event_uid = a.event_uid and ef.floor_uid = a.asked_floor_uid
      join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
        and eb.building_uid = ef.building_uid and eb.active
      order by e.uid
      for no key update of e
    ), ${countedBack}, flipped as (
      -- 4. The new values. Place and status stay.
      select *, place_uid as to_place_uid, status as to_status, case when to_refused then 'add' else 'sub' end as action
      from counted_back
    ), kept as (
      -- 5. The keys, each with its reply.
      select *, jsonb_build_object('status', 'success', 'action', action) as reply from flipped
    ), ${claimKeys('kept')}, accepted as (
      select * from answered where claimed
    ), changed as (
      -- 6. The people, their tallies and the journal.
      update evacuee e
      set refused = t.to_refused, refusal_detail = case when t.to_refused then t.noted_at || ' ' || t.actor_name else '' end
      from accepted t
      where e.client_uid = t.client_uid and e.uid = t.uid
    ), ${moveInTallies}, journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, action, subject_type,
        subject_uid, before, after, observed_at)
      select client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, 'evacuee_refusal_set', 'evacuee', person_uid,
        jsonb_build_object('refused', refused, 'floor_uid', floor_uid) || ${inBuilding('')},
        jsonb_build_object('refused', to_refused, 'floor_uid', floor_uid) || ${inBuilding('')}, seen_at - (now_at - now())
      from accepted
    )
    select n, action, claimed from answered`
}
