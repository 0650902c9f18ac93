import { sql } from 'kysely'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import { prepared, type Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { inBuilding, moveInTallies } from './tally.queries.ts'

/** Where someone says that they are. A floor goes before the building. */
export interface SaidPlace {
  buildingUid: string | null
  floorUid: string | null
}

/** By a reply to a message, asked and said in steady time, or by their own page. Without `saidAt` it is said now. */
type OwnWord =
  | { messageId: number; askedAt: Date; saidAt?: Date | null; byCall?: boolean }
  | { reportUid: string; place: SaidPlace }

export type AnsweredStatus = { clientUid: string; evacueeUid: string; status: 'safe' | 'danger' } & OwnWord

export interface AnswerRecorded {
  /** The status was already recorded, by a warden or an earlier answer. That record stands. */
  isKnown: boolean
  /** A danger stands against this "safe", or it was sent before what stands. */
  superseded: boolean
  /** What stood before. */
  stood: SafetyStatus
}

/**
 * Records the status that a person reports by text, by a key in a call or by their own page, with the person as its source. Returns undefined
 * if the person has left the event.
 *
 * 1. `target` locks the person's row. Their own word is the newer one of text and page.
 * 2. `said` is the place that a page names, if the event has it. Its building is locked: a removal waits, or has finished.
 * 3. `ruled` decides: an equal status is known. A "safe" by text is superseded by any danger that was seen or said after the
 *    question: a late copy of an earlier answer says the same as a new one. One by page is superseded by any danger that a
 *    warden recorded. A "safe" that was sent before what stands sets nothing. A new danger moves the person to where they say.
 * 4. `confirmed` renews a known danger: it counts as observed now, so that no older "safe" overwrites it. Who recorded
 *    it stays. Unless a warden's danger is kept, this observation is marked as the person's own.
 * 5. `changed` sets a new status, marked as a text's or a page's until a warden records a status. If it lifts a
 *    danger that a warden saw, both records stand as a contradiction.
 * 6. `overruled`: so do a superseded "safe" and the danger that stands.
 * 7. The tallies and the journal follow, as in `recordStatus`.
 */
export async function recordAnswer(tx: Tx, r: AnsweredStatus): Promise<AnswerRecorded | undefined> {
  const {
    messageId = null,
    askedAt = null,
    saidAt = null,
    reportUid = null,
    place = null,
    byCall = false,
  } = { ...noWord, ...r }
  const byPage = sql`${reportUid}::uuid is not null`
  const { rows } = await sql<AnswerRecorded>`${prepared('record_answer')}
    with target as (
      select *, greatest(text_status_at, self_status_at) as own_at
      from evacuee where client_uid = ${r.clientUid} and uid = ${r.evacueeUid} and active for no key update
    ), said as (
      select eb.building_uid, f.floor_uid
      from target t
      left join event_floor f on f.client_uid = t.client_uid and f.event_uid = t.event_uid and f.floor_uid = ${place?.floorUid ?? null}
      join event_building eb on eb.client_uid = t.client_uid and eb.event_uid = t.event_uid and eb.active
        and eb.building_uid = coalesce(f.building_uid, ${place?.buildingUid ?? null})
      for share of eb
    ), ruled as (
      select t.*, (is_kept or is_late) and ${r.status} = 'safe' as superseded,
        case when moves then coalesce(said.floor_uid, case when said.building_uid = t.building_uid then t.floor_uid end)
          else t.floor_uid end as new_floor_uid,
        case when moves then said.building_uid else t.building_uid end as new_building_uid
      from (
        select *, status = ${r.status} as is_known,
          case when ${byPage} then status = 'danger' and not is_own
            else status = 'danger' and coalesce(status_observed_at > ${askedAt}, false) end as is_kept,
          coalesce(status_observed_at > ${saidAt}, false) as is_late
        from (
          select *, coalesce(own_at = status_at, false) as is_own,
            status = 'danger' and own_at is distinct from status_observed_at as is_seen
          from target
        ) t
      ) t
      left join said on true
      cross join lateral (select said.building_uid is not null and ${r.status} = 'danger' and not is_known as moves) m
    ), confirmed as (
      update evacuee e
      set status_observed_at = greatest(e.status_observed_at, ${steadyNow}),
        status_at = case when t.is_own then greatest(e.status_at, ${steadyNow}) else e.status_at end,
        text_status_at = case when t.is_kept and not t.is_own or ${byPage} then e.text_status_at else greatest(e.text_status_at, ${steadyNow}) end,
        self_status_at = case when t.is_kept or not ${byPage} then e.self_status_at else greatest(e.self_status_at, ${steadyNow}) end,
        dispute = nullif(e.dispute, 'own_safe'), dispute_at = case when e.dispute <> 'own_safe' then e.dispute_at end
      from ruled t
      where e.client_uid = t.client_uid and e.uid = t.uid and t.is_known and t.status = 'danger'
    ), accepted as (
      select *, coalesce(new_floor_uid, new_building_uid) as to_place_uid, ${r.status}::text as to_status, refused as to_refused
      from ruled where not is_known and not superseded
    ), changed as (
      update evacuee e
      set status = ${r.status}, on_floor = false, status_by_person_uid = t.person_uid, status_at = ${steadyNow},
        status_observed_at = ${steadyNow}, seen_before_at = null,
        text_status_at = case when ${byPage} then e.text_status_at else ${steadyNow} end, own_call = ${byCall},
        self_status_at = case when ${byPage} then ${steadyNow} else e.self_status_at end,
        floor_uid = t.new_floor_uid, building_uid = t.new_building_uid,
        dispute = case when t.is_seen then 'own_lifted' end,
        dispute_at = case when t.is_seen then t.status_observed_at end
      from accepted t
      where e.client_uid = t.client_uid and e.uid = t.uid
    ), overruled as (
      update evacuee e set dispute = 'own_safe', dispute_at = ${steadyNow}
      from ruled t
      where e.client_uid = t.client_uid and e.uid = t.uid and t.superseded and t.is_kept and not t.is_late
    ), ${moveInTallies}, journaled as (
      insert into journal (client_uid, event_uid, actor_person_uid, action, subject_type, subject_uid, before, after)
      select client_uid, event_uid, person_uid, 'evacuee_status_set', 'evacuee', person_uid,
        jsonb_build_object('status', status, 'on_floor', on_floor, 'floor_uid', floor_uid) || ${inBuilding('')},
        jsonb_build_object('status', ${r.status}::text, 'on_floor', is_known and on_floor, 'floor_uid', new_floor_uid,
          'superseded', superseded) || ${inBuilding('new_')}
          || case when ${byPage} then jsonb_build_object('by_page', true, 'report_uid', ${reportUid}::uuid)
            else jsonb_build_object('by_sms', true, 'message_id', ${messageId}::bigint)
              || case when ${byCall} then '{"by_call": true}'::jsonb else '{}'::jsonb end end
      from ruled where not is_known or status = 'danger'
    )
    select is_known, superseded, status as stood from ruled`.execute(tx)
  return rows[0]
}

/** Neither of the two, for what the other has. */
const noWord: {
  messageId?: number
  askedAt?: Date
  saidAt?: Date | null
  reportUid?: string
  place?: SaidPlace
  byCall?: boolean
} = {}
