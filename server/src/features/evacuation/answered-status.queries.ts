import { sql } from 'kysely'
import { prepared, type Tx } from '../../platform/db/db.ts'
import { steadyNow } from '../../platform/db/steady-clock.ts'
import { moveInTallies } from './tally.queries.ts'

export interface AnsweredStatus {
  clientUid: string
  evacueeUid: string
  status: 'safe' | 'danger'
  /** When the message that is answered was written, by the steady clock. */
  askedAt: Date
  messageId: number
}
export interface AnswerRecorded {
  /** It was so already, by a warden or by an earlier answer: that record stands. */
  isKnown: boolean
  /** A danger that a warden saw after the question stands against this "safe". */
  superseded: boolean
}

/**
 * What a person says of themself by text, recorded as such: the person is named as who said it, the journal says that it
 * came by text, and `text_status_at` shows it until a warden records anything. Counts as `recordStatus` does.
 * A danger that stands already was seen once more, now: it stays the word of whoever recorded it, and no "safe" from
 * before overwrites it. Only `text_status_at` then tells that this latest sight is the person's own, for them to take back.
 */
export async function recordAnswer(tx: Tx, r: AnsweredStatus): Promise<AnswerRecorded | undefined> {
  const { rows } = await sql<AnswerRecorded>`${prepared('record_answer')}
    with target as (
      select * from evacuee where client_uid = ${r.clientUid} and uid = ${r.evacueeUid} and active for no key update
    ), ruled as (
      select *, is_kept and ${r.status} = 'safe' as superseded
      from (
        select *, status = ${r.status} as is_known, coalesce(status = 'danger' and status_observed_at > ${r.askedAt}
          and text_status_at is distinct from status_observed_at, false) as is_kept
        from target
      ) t
    ), confirmed as (
      update evacuee e
      set status_observed_at = greatest(e.status_observed_at, ${steadyNow}),
        status_at = case when e.text_status_at = e.status_at then greatest(e.status_at, ${steadyNow}) else e.status_at end,
        text_status_at = case when t.is_kept then e.text_status_at else greatest(e.text_status_at, ${steadyNow}) end
      from ruled t
      where e.client_uid = t.client_uid and e.uid = t.uid and t.is_known and t.status = 'danger'
    ), taken as (
      select *, place_uid as to_place_uid, ${r.status}::text as to_status, refused as to_refused
      from ruled where not is_known and not superseded
    ), changed as (
      update evacuee e
      set status = ${r.status}, on_floor = false, status_by_person_uid = t.person_uid, status_at = ${steadyNow},
        status_observed_at = ${steadyNow}, text_status_at = ${steadyNow}
      from taken t
      where e.client_uid = t.client_uid and e.uid = t.uid
    ), ${moveInTallies}, journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, action, subject_type, subject_uid, before, after)
      select client_uid, event_uid, person_uid, 'evacuee_status_set', 'evacuee', person_uid,
        jsonb_build_object('status', status, 'on_floor', on_floor, 'floor_uid', floor_uid),
        jsonb_build_object('status', ${r.status}::text, 'on_floor', is_known and on_floor, 'floor_uid', floor_uid,
          'superseded', superseded, 'by_sms', true, 'message_id', ${r.messageId}::bigint)
      from ruled where not is_known or status = 'danger'
    )
    select is_known, superseded from ruled`.execute(tx)
  return rows[0]
}
