import { sql } from 'kysely'
import { prepared, type Tx } from '../../platform/db/db.ts'
import { steadyNow } from '../../platform/db/steady-clock.ts'
import { inBuilding, moveInTallies } from './tally.queries.ts'

export interface AnsweredStatus {
  clientUid: string
  evacueeUid: string
  status: 'safe' | 'danger'
  /** When the question was written, in steady time. */
  askedAt: Date
  messageId: number
}
export interface AnswerRecorded {
  /** The status was already recorded, by a warden or an earlier answer. That record stands. */
  isKnown: boolean
  /** A warden saw a danger after the question was sent, so this "safe" does not change the status. */
  superseded: boolean
}

/**
 * Records the status that a person reports by text, with the person as its source. Returns undefined if the person has
 * left the event.
 *
 * 1. `target` locks the person's row.
 * 2. `ruled` decides: an equal status is known; a "safe" is superseded by a danger that a warden saw after the question.
 * 3. `confirmed` renews a known danger: it counts as observed now, so that no older "safe" overwrites it. Who recorded
 *    it stays. `text_status_at` marks this observation as the person's own, so that they can take it back.
 * 4. `changed` sets a new status. `text_status_at` marks it as a text until a warden records a status. If it lifts a
 *    danger that a warden saw, both records stand as a contradiction (REC-07).
 * 5. `overruled`: so do a superseded "safe" and the danger that stands.
 * 6. The tallies and the journal follow, as in `recordStatus`.
 */
export async function recordAnswer(tx: Tx, r: AnsweredStatus): Promise<AnswerRecorded | undefined> {
  const { rows } = await sql<AnswerRecorded>`${prepared('record_answer')}
    with target as (
      select * from evacuee where client_uid = ${r.clientUid} and uid = ${r.evacueeUid} and active for no key update
    ), ruled as (
      select *, is_kept and ${r.status} = 'safe' as superseded
      from (
        select *, status = ${r.status} as is_known, coalesce(is_seen and status_observed_at > ${r.askedAt}, false) as is_kept
        from (select *, status = 'danger' and text_status_at is distinct from status_observed_at as is_seen from target) t
      ) t
    ), confirmed as (
      update evacuee e
      set status_observed_at = greatest(e.status_observed_at, ${steadyNow}),
        status_at = case when e.text_status_at = e.status_at then greatest(e.status_at, ${steadyNow}) else e.status_at end,
        text_status_at = case when t.is_kept then e.text_status_at else greatest(e.text_status_at, ${steadyNow}) end,
        dispute = nullif(e.dispute, 'own_safe'), dispute_at = case when e.dispute <> 'own_safe' then e.dispute_at end
      from ruled t
      where e.client_uid = t.client_uid and e.uid = t.uid and t.is_known and t.status = 'danger'
    ), accepted as (
      select *, place_uid as to_place_uid, ${r.status}::text as to_status, refused as to_refused
      from ruled where not is_known and not superseded
    ), changed as (
      update evacuee e
      set status = ${r.status}, on_floor = false, status_by_person_uid = t.person_uid, status_at = ${steadyNow},
        status_observed_at = ${steadyNow}, text_status_at = ${steadyNow}, seen_before_at = null,
        dispute = case when t.is_seen then 'own_lifted' end,
        dispute_at = case when t.is_seen then t.status_observed_at end
      from accepted t
      where e.client_uid = t.client_uid and e.uid = t.uid
    ), overruled as (
      update evacuee e set dispute = 'own_safe', dispute_at = ${steadyNow}
      from ruled t
      where e.client_uid = t.client_uid and e.uid = t.uid and t.superseded
    ), ${moveInTallies}, journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, action, subject_type, subject_uid, before, after)
      select client_uid, event_uid, person_uid, 'evacuee_status_set', 'evacuee', person_uid,
        jsonb_build_object('status', status, 'on_floor', on_floor, 'floor_uid', floor_uid) || ${inBuilding('')},
        jsonb_build_object('status', ${r.status}::text, 'on_floor', is_known and on_floor, 'floor_uid', floor_uid,
          'superseded', superseded, 'by_sms', true, 'message_id', ${r.messageId}::bigint) || ${inBuilding('')}
      from ruled where not is_known or status = 'danger'
    )
    select is_known, superseded from ruled`.execute(tx)
  return rows[0]
}
