import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import { isHidden, isQuiet } from '#server/wardens/building-action.ts'
import { failedWays } from './begin.queries.ts'

/** Why a reach is over, as it is kept. */
export const overReasons = {
  ended: 'The event has ended.',
  live: 'The drill became a live event.',
  closed: 'No longer part of the event.',
  offDuty: 'Went off duty.',
  unavailable: 'Not available.',
  answeredElsewhere: 'No longer asked.',
  replaced: 'A newer one has replaced it.',
  quiet: 'Building in lockdown.',
  notNeeded: 'Someone else has answered.',
} as const

/** When reach `one` was answered. Null: not yet. Each class has its own answer. An alert is answered in any of the person's roles. */
const answeredAt = sql`
  case one.class
    when 'report_in' then (
      select min(case when own.on_duty then own.on_duty_at
        when own.not_available and own.not_available_at >= one.asked_at then own.not_available_at
        when own.off_duty_at >= one.asked_at then own.off_duty_at end)
      from warden_sign_in own
      where own.client_uid = one.client_uid and own.event_uid = one.event_uid and own.person_uid = one.person_uid)
    when 'instruction' then (select ia.understood_at from instruction_answer ia where ia.client_uid = one.client_uid
      and ia.instruction_uid = one.about::uuid and ia.sign_in_uid = one.sign_in_uid)
    when 'command' then (select now() from command_turn t where t.client_uid = one.client_uid and t.uid = one.about::uuid
      and t.silent_at is null and t.ended_at is null)
    when 'offer' then (select o.answered_at from floor_offer o where o.client_uid = one.client_uid and o.uid = one.about::uuid
      and o.answer in ('yes', 'no'))
    when 'message' then (select m.read_at from message m where m.client_uid = one.client_uid and m.seq = one.about::bigint)
    when 'ask' then (
      select least(case when v.status <> 'unknown' then v.status_at end,
        (select min(m.written_at) from message m where m.client_uid = v.client_uid and m.evacuee_uid = v.uid and m.direction = 'in'
          and m.seq > one.about::bigint),
        (select min(s.at) from self_report s where s.client_uid = v.client_uid and s.evacuee_uid = v.uid and s.at >= one.began_at))
      from evacuee v where v.client_uid = one.client_uid and v.event_uid = one.event_uid and v.person_uid = one.person_uid)
  end`

/** The person of reach `one` is where people hide, as a warden or as someone who is counted: no phone of theirs may ring. */
export const isHiding = sql<boolean>`(
  exists (select from evacuee v
    join event_building eb on eb.client_uid = v.client_uid and eb.event_uid = v.event_uid and eb.building_uid = v.building_uid and eb.active
    where v.client_uid = one.client_uid and v.event_uid = one.event_uid and v.person_uid = one.person_uid and v.active and ${isQuiet})
  or exists (select from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where si.client_uid = one.client_uid and si.uid = one.sign_in_uid and ${isHidden}))`

/** Why reach `one` of participation `si` is over without an answer. Null: it goes on. */
const overBecause = sql`
  case when e.ended_at is not null then ${overReasons.ended}
    when one.asked_at < e.live_from and one.class <> 'command' then ${overReasons.live}
    when si.closed_at is not null then ${overReasons.closed}
    when one.class in ('offer', 'command', 'message') and not si.on_duty then ${overReasons.offDuty}
    when one.class = 'instruction' and si.not_available then ${overReasons.unavailable}
    when one.class = 'instruction' and not si.on_duty and si.off_duty_at is not null then ${overReasons.offDuty}
    when one.class = 'command' and exists (select from command_turn t where t.client_uid = one.client_uid and t.uid = one.about::uuid
      and t.ended_at is not null) then ${overReasons.replaced}
    when one.class = 'offer' and exists (select from floor_offer o where o.client_uid = one.client_uid and o.uid = one.about::uuid
      and (o.answered_at is not null or o.ends_at <= clock_timestamp())) then ${overReasons.answeredElsewhere}
    when one.class = 'ask' and not exists (select from evacuee v where v.client_uid = one.client_uid and v.event_uid = one.event_uid
      and v.person_uid = one.person_uid and v.active) then ${overReasons.closed}
    when one.class = 'ask' and exists (select from reach newer where newer.client_uid = one.client_uid and newer.event_uid = one.event_uid
      and newer.class = 'ask' and newer.person_uid = one.person_uid and newer.began_at > one.began_at) then ${overReasons.replaced}
    when e.is_quiet and ${isHiding} then ${overReasons.quiet} end`

/**
 * Marks who has answered, however late, and whose reach is over. What answers stands in the rows of each class, so no other
 * subject has to tell. Any number of workers may run it at once: a row that one holds is left to it.
 */
export async function settleReaches(system: Db): Promise<void> {
  await sql`
    with running as materialized (
      select client_uid, uid from event where ended_at is null
      union select client_uid, event_uid from reach where state = 'going'
    ), e as materialized (
      select e.client_uid, e.uid, e.ended_at, e.live_from, exists (select from event_building eb
        where eb.client_uid = e.client_uid and eb.event_uid = e.uid and eb.active and ${isQuiet}) as is_quiet
      from running join event e on e.client_uid = running.client_uid and e.uid = running.uid
    ), judged as materialized (
      select one.client_uid, one.uid, ${answeredAt} as answered_at, case when one.state = 'going' then ${overBecause} end as over
      from e
      join reach one on one.client_uid = e.client_uid and one.event_uid = e.uid and one.state in ('going', 'used_up')
      left join warden_sign_in si on si.client_uid = one.client_uid and si.uid = one.sign_in_uid
    ), held as (
      select reach.client_uid, reach.uid, judged.answered_at, judged.over
      from judged join reach on reach.client_uid = judged.client_uid and reach.uid = judged.uid and reach.state in ('going', 'used_up')
      where judged.answered_at is not null or judged.over is not null
      for update of reach skip locked
    )
    update reach set state = case when held.answered_at is not null then 'answered' else 'over' end,
      answered_at = held.answered_at, reason = case when held.answered_at is null then held.over end
    from held where reach.client_uid = held.client_uid and reach.uid = held.uid`.execute(system)
}

/**
 * A way that has failed brings the next step to now: each failure once. A text that waits for its turn, and so was not to be
 * sent, is none.
 */
export async function hurryAfterFailures(system: Db, at: string): Promise<void> {
  await sql`
    with failing as (
      select reach.client_uid, reach.uid, failed.ways
      from reach
      cross join lateral (
        select ${failedWays}
          + (select count(*) from mail m where m.reach_uid = reach.uid and m.status in ('failed', 'expired')) as ways
      ) failed
      where reach.state = 'going' and not reach.is_second and failed.ways > reach.failed
      for update of reach skip locked
    )
    update reach set failed = failing.ways, next_at = least(reach.next_at, ${at}::timestamptz)
    from failing where reach.client_uid = failing.client_uid and reach.uid = failing.uid`.execute(system)
}
