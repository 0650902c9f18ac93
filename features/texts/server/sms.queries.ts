import { type RawBuilder, sql } from 'kysely'
import { linkPlaceholder } from '#features/self-report/kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { textPrefix } from './queue.queries.ts'
import type { Handover } from './sms-gateway.ts'

/** Seconds for which a claimed text belongs to its worker. The worker extends them while it waits for a provider. */
const leaseSeconds = 10

export interface ClaimedText {
  clientUid: ClientUid
  uid: string
  eventUid: string | null
  kind: string
  toMobile: string
  /** Goes before the body. */
  prefix: string
  body: string
  linkUid: string | null
  mobileTokenUid: string | null
  planNoticeUid: string | null
  /** Of a message to an evacuee that names their personal link. */
  selfLinkUid: string | null
  validUntil: Date
  createdAt: Date
  /** Charged at an earlier try. Null if not charged yet. */
  segments: number | null
  attempts: number
  /** Why it must no longer be sent. Null if it must be sent. */
  over:
    | 'too late'
    | 'event ended'
    | 'became live'
    | 'building left'
    | 'not in the event'
    | 'event again'
    | 'newer link'
    | 'refused'
    | 'suspended'
    | null
}

/** True if the receiver of text `s` is an occupant or a warden of the event. */
const isIn = (eventUid: RawBuilder<unknown>) => sql`
  (exists (select from evacuee ev where ev.client_uid = s.client_uid
      and ev.event_uid = ${eventUid} and ev.person_uid = s.person_uid and ev.active)
    or exists (select from warden_sign_in own where own.client_uid = s.client_uid
      and own.event_uid = ${eventUid} and own.person_uid = s.person_uid and own.closed_at is null))`

/**
 * Claims the most urgent free texts, including expired ones. One statement, so a text is in one batch only. Skips texts
 * of an event that is being ended. Puts the prefix of a drill before every text of one, whoever queued it. Joins only after choosing the texts: 6 ms instead of 20 with 10,000 queued.
 */
export async function claimTexts(system: Db, count: number): Promise<ClaimedText[]> {
  const { rows } = await sql<ClaimedText>`
    with due as materialized (
      select s.client_uid, s.uid, s.event_uid, s.kind, s.person_uid, s.link_uid, s.sign_in_uid, s.mobile_token_uid, s.plan_notice_uid, s.to_mobile,
        s.valid_until, s.created_at, s.prefix
      from sms s
      where s.status = 'queued' and (s.claimed_until is null or s.claimed_until <= ${steadyNow})
      order by s.valid_until
      limit ${count}
      for update skip locked
    ), judged as (
      select s.client_uid, s.uid,
        case when not c.active then 'suspended'
          when s.created_at < e.live_from or e.kind = 'live' and s.prefix <> '' then 'became live'
          when e.ended_at is not null and s.kind not in ('event_concluded', 'plan') then 'event ended'
          when s.kind = 'event_message' and not ${isIn(sql`s.event_uid`)} then 'building left'
          when s.kind = 'event_concluded' and exists (select from event again where again.client_uid = e.client_uid
              and again.site_uid = e.site_uid and again.ended_at is null and ${isIn(sql`again.uid`)}) then 'event again'
          when s.link_uid is not null and si.closed_at is not null then 'not in the event'
          when t.voided_at is not null then 'newer link'
          when s.kind <> 'sign_in_link' and exists (select from sms_refusal x where x.mobile = s.to_mobile) then 'refused'
          when s.valid_until <= now() then 'too late' end as over,
        ${textPrefix} as prefix
      from due s
      join client c on c.uid = s.client_uid
      left join event e on e.client_uid = s.client_uid and e.uid = s.event_uid
      left join warden_sign_in si on si.client_uid = s.client_uid and si.uid = s.sign_in_uid
      left join mobile_token t on t.uid = s.mobile_token_uid
    )
    update sms set claimed_until = ${steadyNow} + make_interval(secs => ${leaseSeconds}), attempts = sms.attempts + 1, prefix = j.prefix
    from judged j where sms.client_uid = j.client_uid and sms.uid = j.uid
    returning sms.client_uid, sms.uid, sms.event_uid, sms.kind, sms.to_mobile, sms.prefix, sms.body, sms.link_uid, sms.mobile_token_uid, sms.plan_notice_uid,
      sms.valid_until, sms.created_at, sms.segments, sms.attempts, j.over,
      case when strpos(sms.body, ${linkPlaceholder}) > 0 then (
        select l.uid from message m
        join self_link l on l.client_uid = m.client_uid and l.evacuee_uid = m.evacuee_uid and l.revoked_at is null
        where m.client_uid = sms.client_uid and m.seq = coalesce(sms.message_seq, (
          select one.about::bigint from reach one where one.client_uid = sms.client_uid and one.uid = sms.reach_uid and one.class = 'ask'))
      ) end as self_link_uid`.execute(system)
  return rows
}

/** Extends the leases of a worker that still waits for a provider. */
export async function extendLeases(system: Db, texts: readonly TextKey[]): Promise<void> {
  await sql`
    update sms set claimed_until = ${steadyNow} + make_interval(secs => ${leaseSeconds})
    from ${keysOf(texts)} where sms.client_uid = t.client_uid and sms.uid = t.uid and sms.status = 'queued'`.execute(
    system,
  )
}

export interface TextKey {
  clientUid: ClientUid
  uid: string
}
const keysOf = (texts: readonly TextKey[]) =>
  sql`unnest(${texts.map((t) => t.clientUid)}::uuid[], ${texts.map((t) => t.uid)}::uuid[]) as t (client_uid, uid)`

/** The outcome of a claimed text. `queued` is retried after `retrySeconds`. */
export interface Outcome {
  clientUid: ClientUid
  uid: string
  status: 'handed_over' | 'failed' | 'expired' | 'skipped' | 'queued'
  reason: string | null
  /** The gateway that accepted it, and the provider's ids. */
  handover: Handover | null
  retrySeconds: number | null
}

/** Stores outcomes. If a receipt came first, the text keeps its state and only gets gateway and id. */
export async function updateOutcomes(system: Db, outcomes: readonly Outcome[]): Promise<void> {
  await sql`
    update sms set
      gateway = coalesce(o.gateway, sms.gateway),
      provider_id = coalesce(o.provider_id, sms.provider_id),
      claimed_until = ${steadyNow} + make_interval(secs => o.retry_seconds),
      status = case when sms.status = 'queued' then o.status else sms.status end,
      reason = case when sms.status = 'queued' then o.reason else sms.reason end,
      changed_at = case when sms.status = 'queued' and o.status <> 'queued' then now() else sms.changed_at end
    from unnest(${outcomes.map((o) => o.clientUid)}::uuid[], ${outcomes.map((o) => o.uid)}::uuid[],
      ${outcomes.map((o) => o.status)}::text[], ${outcomes.map((o) => o.reason)}::text[],
      ${outcomes.map((o) => o.handover?.gateway ?? null)}::text[],
      ${outcomes.map((o) => o.handover?.providerIds[0] ?? null)}::text[],
      ${outcomes.map((o) => o.retrySeconds)}::int[])
      as o (client_uid, uid, status, reason, gateway, provider_id, retry_seconds)
    where sms.client_uid = o.client_uid and sms.uid = o.uid`.execute(system)
}

/** Marks texts that were handed over and got no receipt. */
export async function markUnconfirmed(system: Db, minutes: number): Promise<void> {
  await sql`
    update sms set status = 'unconfirmed', reason = 'No receipt from the provider.', changed_at = now()
    where status = 'handed_over' and changed_at < now() - make_interval(mins => ${minutes})`.execute(system)
}

/** Number of texts of the last day, by state. */
export async function countTexts(system: Db): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) from sms where created_at > now() - interval '1 day' group by status`.execute(system)
  return rows
}

/** Age of the oldest queued text in seconds. 0 if none is queued. */
export async function findOldestSeconds(system: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from sms where status = 'queued'`.execute(system)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Texts from phones, and keys pressed in calls, of running events that have been unread in their thread, or open in Reports, for five minutes. */
export async function countUnseen(system: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*) from message m where m.client_uid = e.client_uid and m.event_uid = e.uid and m.direction = 'in'
        and m.provider_id is not null and m.read_at is null and m.created_at < now() - interval '5 minutes'
    ) + (
      select count(*) from self_report r where r.client_uid = e.client_uid and r.event_uid = e.uid and r.way in ('text', 'call')
        and r.state = 'open' and r.at < ${steadyNow} - interval '5 minutes'
    ) as count
    from event e where e.ended_at is null`.execute(system)
  return rows.reduce((sum, { count }) => sum + Number(count), 0)
}
