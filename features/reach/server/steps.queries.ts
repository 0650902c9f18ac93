import { type RawBuilder, sql } from 'kysely'
import { insertTexts, obstacle, textPrefix } from '#features/texts/server/queue.queries.ts'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { waitSeconds } from '../kinds.ts'
import { obstacles } from '../words.ts'
import { hasOtherAtPlace } from './begin.queries.ts'
import { firstSeconds, stepsOf } from './plan.ts'
import { bodyOf, sayOf } from './said.queries.ts'
import { overReasons } from './settle.queries.ts'

/** Rows of one statement. */
const pageSize = 500
/** A step that is so late is not taken: it would mislead. */
const tooLateMinutes = 15
/** How long a mail makes sense. */
const mailMinutes = 15

/** Steady time as PostgreSQL writes it: a JavaScript date would lose its microseconds. */
export type SteadyTime = string

export async function readSteadyTime(system: Db): Promise<SteadyTime> {
  const { rows } = await sql<{ at: SteadyTime }>`select steady_now()::text as at`.execute(system)
  return (rows[0] as { at: SteadyTime }).at
}

/**
 * Those who are called second, at their time: over if someone on duty shares a place with them. Otherwise their own steps
 * begin. The text that waited counts as no failure.
 */
export async function callSeconds(system: Db, at: SteadyTime): Promise<void> {
  await sql`
    with waiting as (
      select one.client_uid, one.uid, ${hasOtherAtPlace(sql`other.on_duty`)} as is_answered, ${firstSeconds('report_in')} as seconds
      from reach one
      join client c on c.uid = one.client_uid and c.active
      join warden_sign_in si on si.client_uid = one.client_uid and si.uid = one.sign_in_uid
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where one.state = 'going' and one.is_second and one.next_at <= ${at}::timestamptz
      for update of one skip locked
    )
    update reach set is_second = false, began_at = ${at}::timestamptz, asked_at = now(), failed = 1,
      next_at = ${at}::timestamptz + make_interval(secs => coalesce(waiting.seconds, 0)),
      state = case when is_answered then 'over' else 'going' end, reason = case when is_answered then ${overReasons.notNeeded} end
    from waiting where reach.client_uid = waiting.client_uid and reach.uid = waiting.uid`.execute(system)
}

/** What has become of a step. `end`: there is none left. `cannot`: the way cannot work. `none`: nothing is to be done. */
type Act = 'push' | 'text' | 'call' | 'mail' | 'cannot' | 'none' | 'end'

export interface Taken {
  clientUid: ClientUid
  eventUid: EventUid
  act: Act
}

/** What the installation can do. */
export interface Abilities {
  /** Alerts on phones are set up. */
  canPush: boolean
  /** Calls are set up. */
  canCall: boolean
}

const mostCalls = sql`(c.reach ->> 'calls')::int <= (select count(*) from ring g
  where g.client_uid = one.client_uid and g.reach_uid = one.uid and g.way in ('call', 'second_call') and g.status <> 'skipped')`

const mostTexts = sql`(c.reach ->> 'texts')::int <= (select count(*) from sms s
  where s.client_uid = one.client_uid and s.reach_uid = one.uid and s.status <> 'skipped')`

/** Why the way of the step cannot work. Null if it can. `p.mobile` is the number of the step. */
const whyNot = ({ canPush, canCall }: Abilities): RawBuilder<string | null> => sql`
  case when one.way in ('call', 'second_call') and not ${canCall} then ${obstacles.noCalls}
    when one.way in ('second_text', 'second_call') and p.mobile is null then ${obstacles.noSecond}
    when one.way in ('call', 'second_call') then case when p.mobile is null then ${obstacles.noMobile}
      when ${mostCalls} then ${obstacles.mostCalls} end
    when one.way in ('text', 'second_text') then coalesce(${obstacle(sql`c.sms_allowed`)}, case when ${mostTexts} then ${obstacles.mostTexts} end)
    when one.way = 'push' then case when not ${canPush} or not p.active or not exists (select from push_phone ph
      where ph.client_uid = one.client_uid and ph.person_uid = one.person_uid) then ${obstacles.noAlerts} end
    when one.way = 'mail' then case when p.email is null then ${obstacles.noAddress} end end`

/** When the words were written: a message is not texted a quarter of an hour after that. */
const writtenAt = sql`case when one.class = 'message' then one.asked_at else now() end`

/**
 * Takes the steps of one page of due reaches: texts, mails and notes of what cannot work, and the time of the next step, in one
 * statement. A killed worker has done all of it or nothing. Messages that are being opened are left for the next run.
 */
export async function takeSteps(
  tx: Tx,
  { at, appUrl, ...abilities }: { at: SteadyTime; appUrl: string } & Abilities,
): Promise<Taken[]> {
  const now = sql`${at}::timestamptz`
  const { rows } = await sql<Taken>`
    with due as materialized (
      select one.* from reach one
      join client c on c.uid = one.client_uid and c.active
      where one.state = 'going' and not one.is_second and one.next_at <= ${now}
      order by one.next_at limit ${pageSize} for update of one skip locked
    ), unopened as materialized (
      select m.client_uid, m.seq from due
      join message m on m.client_uid = due.client_uid and m.seq = case when due.class = 'message' then due.about::bigint end
      where m.read_at is null for update of m skip locked
    ), planned as (
      select due.*, steps.steps -> due.step ->> 'way' as way, (steps.steps -> due.step ->> 'seconds')::int as seconds,
        (steps.steps -> (due.step + 1) ->> 'seconds')::int as next_seconds,
        (steps.steps -> -1 ->> 'seconds')::int as last_seconds
      from due
      join client c on c.uid = due.client_uid
      cross join lateral (select ${stepsOf(sql`due.class`)} as steps) steps
      where due.class <> 'message' or (due.client_uid, case when due.class = 'message' then due.about::bigint end) in (select client_uid, seq from unopened)
    ), judged as (
      select one.*, p.mobile, p.email, p.account_uid, obstacle.why_not,
        case when one.way is null or one.next_at < ${now} - make_interval(mins => ${tooLateMinutes}) then 'end'
          when one.way = 'next' or one.way = 'text' and one.seconds = 0 and one.is_texted then 'none'
          -- a node of the version before has texted it
          when one.class = 'message' and exists (select from sms s where s.client_uid = one.client_uid
            and s.message_seq = case when one.class = 'message' then one.about::bigint end
            and s.reach_uid is distinct from one.uid) then 'none'
          when obstacle.why_not is not null then 'cannot'
          when one.way in ('push', 'mail') then one.way when one.way in ('call', 'second_call') then 'call' else 'text' end as act
      from planned one
      join client c on c.uid = one.client_uid
      cross join lateral (
        select own.active, own.email, own.account_uid,
          case when one.way in ('second_text', 'second_call') then own.second_mobile else own.mobile end as mobile
        from person own where own.client_uid = one.client_uid and own.uid = one.person_uid
      ) p
      left join sms_refusal x on x.mobile = p.mobile
      cross join lateral (select ${whyNot(abilities)} as why_not) obstacle
    ), worded as materialized (
      select one.*, ${bodyOf(appUrl)} as body, ${sayOf(appUrl)} as say,
        -- a link opens the event to the person alone
        case when one.way = 'text' then first.link_uid end as link_uid,
        case when one.class = 'message' and not exists (select from sms s where s.client_uid = one.client_uid
          and s.message_seq = one.about::bigint) then one.about::bigint end as message_seq,
        case one.class when 'report_in' then 'warden_alert' when 'instruction' then 'instruction' when 'command' then 'command'
          else 'message' end as kind, ${writtenAt} as written_at
      from judged one
      join client c on c.uid = one.client_uid
      left join lateral (
        select s.body, s.link_uid from sms s where s.client_uid = one.client_uid and s.reach_uid = one.uid
        order by s.created_at, s.uid limit 1
      ) first on true
      where one.act in ('text', 'mail', 'call')
    ), texted as (${insertTexts(
      {
        kind: sql`r.kind`,
        body: sql`r.body`,
        writtenAt: sql`r.written_at`,
        brings: ['sign_in_uid', 'link_uid', 'message_seq', 'reach_uid'],
      },
      sql`select *, uid as reach_uid, null::text as obstacle from worded where act = 'text'`,
    )}), mailed as (
      insert into mail (kind, account_uid, to_email, subject, body, valid_until, reach_uid)
      select 'reach', one.account_uid, one.email, st.name || ' is calling you', ${textPrefix} || one.body,
        now() + make_interval(mins => ${mailMinutes}), one.uid
      from worded one
      join event e on e.client_uid = one.client_uid and e.uid = one.event_uid
      join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
      where one.act = 'mail'
    ), called as (
      insert into ring (client_uid, event_uid, reach_uid, way, status, to_mobile, say, claimed_until, valid_until)
      select client_uid, event_uid, uid, way, 'queued', mobile, say, 'infinity', now() + make_interval(mins => ${tooLateMinutes})
      from worded where act = 'call'
    ), alerted as (
      insert into ring (client_uid, event_uid, reach_uid, way, status, phone_uid, valid_until)
      select one.client_uid, one.event_uid, one.uid, 'push', 'queued', ph.uid,
        now() + (one.began_at + make_interval(secs => one.last_seconds + ${waitSeconds}) - ${now})
      from judged one
      join push_phone ph on ph.client_uid = one.client_uid and ph.person_uid = one.person_uid
      where one.act = 'push'
    ), noted as (
      insert into ring (client_uid, event_uid, reach_uid, way, status, reason)
      select client_uid, event_uid, uid, way, 'skipped', why_not from judged where act = 'cannot'
    ), told as (
      update message m set texted_at = now() from worded one
      where one.class = 'message' and one.act = 'text' and m.client_uid = one.client_uid
        and m.seq = case when one.class = 'message' then one.about::bigint end
    ), instructed as (
      insert into instruction_answer (client_uid, instruction_uid, sign_in_uid, event_uid, texted_at)
      select client_uid, about::uuid, sign_in_uid, event_uid, clock_timestamp() from worded
      where class = 'instruction' and act = 'text'
      on conflict (client_uid, instruction_uid, sign_in_uid) do nothing
    )
    update reach set step = reach.step + case when judged.act = 'end' then 0 else 1 end,
      state = case when judged.act = 'end' then 'used_up' else reach.state end,
      next_at = case when judged.act = 'end' then reach.next_at
        when judged.next_seconds is null then greatest(${now}, reach.began_at + make_interval(secs => judged.seconds + ${waitSeconds}))
        -- what a missing alert would have shown stands in the app: it brings no text forward
        when judged.act = 'cannot' and judged.way <> 'push' then ${now}
        else reach.began_at + make_interval(secs => judged.next_seconds) end
    from judged where reach.client_uid = judged.client_uid and reach.uid = judged.uid
    returning reach.client_uid, reach.event_uid, judged.act`.execute(tx)
  return rows
}
