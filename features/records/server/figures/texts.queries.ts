import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import type { Of } from '../count/facts.queries.ts'

/** Texts of the event that were written from a moment on, by purpose, state and reason. */
export async function countTexts(tx: Tx, { clientUid, eventUid }: Of, from: Date) {
  return (
    tx
      .selectFrom('sms')
      .select(({ fn }) => ['kind', 'status', 'reason', fn.countAll<number>().as('texts')])
      .where('clientUid', '=', clientUid)
      .where('eventUid', '=', eventUid)
      .where('createdAt', '>=', from)
      // what people are told of their plans after the event is none of it
      .where('kind', '<>', 'plan')
      .groupBy(['kind', 'status', 'reason'])
      .orderBy('kind')
      .execute()
  )
}

/** In seconds. */
interface Times {
  half: number | null
  most: number | null
}
const halfAndMost = sql`percentile_disc(0.5) within group (order by seconds) as half,
      percentile_disc(0.9) within group (order by seconds) as most`
const never = sql`'Infinity'::float8`

/** Seconds until half and 90 % of the texts had arrived: of each purpose, and of all (null). Null: fewer did. */
export async function listDeliveryTimes(
  tx: Tx,
  { clientUid, eventUid }: Of,
  from: Date,
): Promise<(Times & { kind: string | null })[]> {
  const { rows } = await sql<Times & { kind: string | null }>`
    select kind, nullif(half, ${never}) as half, nullif(most, ${never}) as most from (
      select kind, ${halfAndMost}
      from (
        select kind, case when status = 'delivered' then extract(epoch from changed_at - created_at)::float8 else ${never} end as seconds
        from sms where client_uid = ${clientUid} and event_uid = ${eventUid} and created_at >= ${from} and kind <> 'plan'
      ) written group by grouping sets ((kind), ())
    ) times`.execute(tx)
  return rows
}

/**
 * Seconds until half and 90 % of those who answered had answered, by purpose: a warden by reporting in, by not being
 * available or by a reply, others by a reply, which may be a status, or by their own page. An answer belongs to the last
 * text before it.
 */
export async function listAnswerTimes(
  tx: Tx,
  { clientUid, eventUid }: Of,
  from: Date,
): Promise<(Times & { kind: string; answered: number })[]> {
  const { rows } = await sql<Times & { kind: string; answered: number }>`
    with answers as (
      select v.person_uid, m.created_at as at
      from message m join evacuee v on v.client_uid = m.client_uid and v.uid = m.evacuee_uid
      where m.client_uid = ${clientUid} and m.event_uid = ${eventUid} and m.direction = 'in'
      union all
      select v.person_uid, r.at
      from self_report r join evacuee v on v.client_uid = r.client_uid and v.uid = r.evacuee_uid
      where r.client_uid = ${clientUid} and r.event_uid = ${eventUid} and r.way = 'link'
      union all
      select si.person_uid, m.created_at
      from message m join warden_sign_in si on si.client_uid = m.client_uid and si.uid = m.sender_sign_in_uid
      where m.client_uid = ${clientUid} and m.event_uid = ${eventUid} and m.provider_id is not null
      union all
      select si.person_uid, j.recorded_at
      from journal j join warden_sign_in si on si.client_uid = j.client_uid and si.uid = j.subject_uid
      where j.client_uid = ${clientUid} and j.event_uid = ${eventUid} and j.action in ('warden_reported_in', 'warden_not_available')
    ), answered as (
      select distinct on (a.person_uid, a.at) t.uid, t.kind, a.at - t.created_at as after
      from answers a
      join sms t on t.client_uid = ${clientUid} and t.event_uid = ${eventUid} and t.person_uid = a.person_uid
        and t.created_at between ${from} and a.at and t.status not in ('skipped', 'failed', 'expired')
      order by a.person_uid, a.at, t.created_at desc, t.uid
    )
    select kind, count(*)::int as answered, ${halfAndMost}
    from (select uid, kind, extract(epoch from min(after))::float8 as seconds from answered group by uid, kind) first
    group by kind`.execute(tx)
  return rows
}
