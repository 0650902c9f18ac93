import { type RawBuilder, sql } from 'kysely'
import { claimKeys } from '#server/http/idempotency.ts'
import { apartByRow, type SentOnDuty, senderOf } from '#server/http/record-on-duty.ts'
import { each, type RecordKind } from '#server/platform/db/batches.ts'
import { prepared } from '#server/platform/db/db.ts'
import { countedBack } from '#server/platform/db/steady-clock.ts'
import { actorsOnDuty } from '#server/wardens/live-session.ts'

export interface FloorStatusRecord extends SentOnDuty {
  floorUid: string
  statusUid: string
  /** As the phone reports them. Null if it reports none. */
  seenSecondsAgo: number | null
  seenByPhoneMs: number | null
}

export interface FloorStatusRecorded {
  overruled: boolean
  claimed: boolean
}

/**
 * A status seen before the one that stands, or before the event began, is overruled: journaled, and
 * changes nothing. No row if the floor is not in the event, or the status is unknown, out of use or of another action than
 * its building's: one seen before the action changed is overruled. Floors are locked in order
 * of their uid. `claimed` is false if the key was used before.
 */
export const floorStatusRecords: RecordKind<FloorStatusRecord, FloorStatusRecorded> = {
  name: 'floor_status',
  statement: setFloorStatuses,
  senderOf,
  apartBy: ({ floorUid, key }) => apartByRow(floorUid, key),
}

function setFloorStatuses(records: readonly FloorStatusRecord[]): RawBuilder<FloorStatusRecorded & { n: number }> {
  const all = each(records)
  return sql<FloorStatusRecorded & { n: number }>`${prepared('set_floor_status')}
    with asked as (
      -- 1. The records as sent, numbered from 1.
      select *
      from unnest(${all('tokenHash')}::bytea[], ${all('module')}::text[], ${all('floorUid')}::uuid[],
          ${all('statusUid')}::uuid[], ${all('seenSecondsAgo')}::float8[], ${all('seenByPhoneMs')}::bigint[],
          ${all('key')}::text[], ${all('fingerprint')}::bytea[]) with ordinality
        as r (token_hash, module, asked_floor_uid, new_status_uid, seconds_ago, phone_ms, key, fingerprint, n)
    ), actor as materialized (
      -- 2. The senders who may record: on duty, with the module of the call.
      ${actorsOnDuty}
    ), target as (
      -- 3. The floors, locked. A floor may keep a status that is out of use.
      select a.*, ef.floor_uid, ef.floor_status_uid, ef.observed_session_uid, ef.observed_phone_ms,
        greatest(ef.observed_at, a.began_at) as stands_since,
        s.action is not distinct from now_in.action or s.uid = ef.floor_status_uid as is_offered
      from actor a
      join event_floor ef on ef.client_uid = a.client_uid and ef.event_uid = a.event_uid and ef.floor_uid = a.asked_floor_uid
      join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
        and eb.building_uid = ef.building_uid and eb.active
      join floor_status s on s.client_uid = ef.client_uid and s.uid = a.new_status_uid
        and (s.in_use or s.uid = ef.floor_status_uid)
      cross join lateral (select case when eb.action not in ('evacuate', 'move') then eb.action end as action) now_in
      order by ef.floor_uid
      for no key update of ef
    ), ${countedBack}, seen as (
      -- 4. Two statuses of one session within 30 s keep the order of the phone's clock, as two of a person do.
      select *, case when observed_session_uid = session_uid and observed_phone_ms <= phone_ms
          and stands_since < seen_at + interval '30 seconds'
        then greatest(seen_at, stands_since) else seen_at end as sight
      from counted_back
    ), kept as (
      -- 5. The keys, each with its reply.
      select *, jsonb_build_object('status', 'success', 'overruled', overruled) as reply
      from (select *, coalesce(sight < stands_since, false) as overruled from seen) judged
      where is_offered or overruled
    ), ${claimKeys('kept')}, accepted as (
      select * from answered where claimed
    ), changed as (
      -- 6. The floors and the journal.
      update event_floor ef
      set floor_status_uid = t.new_status_uid, updated_by_person_uid = t.actor_person_uid, updated_at = now(),
        observed_at = greatest(coalesce(t.sight, t.now_at), t.stands_since), observed_session_uid = t.session_uid,
        observed_phone_ms = t.phone_ms
      from accepted t
      where ef.client_uid = t.client_uid and ef.event_uid = t.event_uid and ef.floor_uid = t.floor_uid and not t.overruled
    ), journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, action, subject_type,
        subject_uid, before, after, observed_at)
      select client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, 'floor_status_set', 'floor', floor_uid,
        jsonb_build_object('floor_status_uid', floor_status_uid), jsonb_build_object('floor_status_uid', new_status_uid)
          || case when overruled then '{"overruled": true}' else '{}' end::jsonb,
        sight - (now_at - now())
      from accepted
    )
    select n, overruled, claimed from answered`
}
