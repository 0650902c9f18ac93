import { type UnknownCause, unknownCauses } from '@evac/contract/command/board-words.ts'
import type { ClientUid, EvacueeUid, EventUid } from '@evac/contract/ids.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/db.ts'
import type { PlaceUid } from '../evacuation/tally.service.ts'
import { smsNotActivated } from '../sms/queue.queries.ts'

/** Which of the unknown people of an event. */
interface Among {
  clientUid: ClientUid
  eventUid: EventUid
  /** Rows of the event. Without them all. */
  uids?: readonly EvacueeUid[]
}

/**
 * The part `caused` of a statement: active people of an event. Messages and texts of a drill say nothing of the live event that
 * it became.
 *
 * 1. `unclear`: whose newest message came in and set nothing.
 * 2. `asked`: to whom a warden's message or a question went out.
 * 3. `failed`: whose newest text failed.
 * 4. `caused`: each person, and the cause of who is unknown, the first that holds (REC-05).
 */
export function causedIn({ clientUid, eventUid, uids }: Among) {
  const among = (column: string) => (uids ? sql`and ${sql.ref(column)} = any (${uids}::uuid[])` : sql``)
  const texted = uids
    ? sql`and s.person_uid in (select person_uid from evacuee where client_uid = ${clientUid} and uid = any (${uids}::uuid[]))`
    : sql``
  return sql`
    since as (
      select coalesce(counts_from, '-infinity') as written, coalesce(live_from, '-infinity') as texted
      from event where client_uid = ${clientUid} and uid = ${eventUid}
    ), unclear as (
      select m.evacuee_uid, m.written_at
      from message m
      where m.client_uid = ${clientUid} and m.event_uid = ${eventUid} and m.evacuee_uid is not null ${among('m.evacuee_uid')}
        and m.direction = 'in' and m.recorded is null and m.written_at >= (select written from since)
        and not exists (select from message newer where newer.client_uid = ${clientUid} and newer.event_uid = ${eventUid}
          and newer.evacuee_uid = m.evacuee_uid and newer.seq > m.seq)
    ), asked as (
      select distinct m.evacuee_uid
      from message m
      where m.client_uid = ${clientUid} and m.event_uid = ${eventUid} and m.evacuee_uid is not null ${among('m.evacuee_uid')}
        and m.direction = 'out' and m.written_at >= (select written from since)
        -- the event's own message stands in each thread, too
        and m.created_at not in (select created_at from broadcast where client_uid = ${clientUid} and event_uid = ${eventUid})
    ), failed as (
      select s.person_uid
      from sms s
      where s.client_uid = ${clientUid} and s.event_uid = ${eventUid} and s.person_uid is not null ${texted}
        and s.status in ('failed', 'expired', 'skipped') and (s.status <> 'skipped' or s.reason is distinct from ${smsNotActivated})
        and s.created_at >= (select texted from since)
        and not exists (select from sms newer where newer.client_uid = ${clientUid} and newer.event_uid = ${eventUid}
          and newer.person_uid = s.person_uid and (newer.created_at, newer.uid) > (s.created_at, s.uid))
    ), caused as (
      select e.*, unclear.written_at as unanswered_at, failed.person_uid is not null as is_failed, case
        when e.status <> 'unknown' then null
        when unclear.evacuee_uid is not null then 'unclear'
        when failed.person_uid is not null then 'text_failed'
        when asked.evacuee_uid is not null then 'asked'
        when e.seen_before_at is not null then 'seen_before'
        else 'not_asked' end as cause
      from evacuee e
      left join unclear on unclear.evacuee_uid = e.uid
      left join asked on asked.evacuee_uid = e.uid
      left join failed on failed.person_uid = e.person_uid
      where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.active ${among('e.uid')}
    )`
}

/** Numbers of people of a place by plans, messages, texts, own words and causes (BOARD-10, REC-05). */
export interface CountsOfPlace {
  placeUid: PlaceUid
  /** People with a plan who are not safe. */
  plans: number
  /** Threads whose newest message came in and set nothing. */
  unanswered: number
  /** When the oldest of these messages was written. */
  unansweredAt: Date | null
  /** People who are not safe and whose newest text failed. */
  textFailed: number
  /** People who are safe by their own word. */
  ownWord: number
  causes: Record<UnknownCause, number>
}

/** Places with people alone. */
export const countByPlace = (tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<CountsOfPlace[]> =>
  byHash(
    tx,
    sql<CountsOfPlace>`
    with ${causedIn({ clientUid, eventUid })}
    select caused.place_uid, count(*) filter (where plan.uid is not null and status <> 'safe')::int as plans,
      count(unanswered_at)::int as unanswered, min(unanswered_at) as unanswered_at,
      count(*) filter (where is_failed and status <> 'safe')::int as text_failed,
      count(*) filter (where status = 'safe' and greatest(text_status_at, self_status_at) = status_at)::int as own_word,
      json_build_object(${sql.join(
        unknownCauses.flatMap((cause) => [
          sql`${sql.lit(cause)}`,
          sql`count(*) filter (where cause = ${sql.lit(cause)})`,
        ]),
      )}) as causes
    from caused
    left join peep plan on plan.client_uid = ${clientUid} and plan.person_uid = caused.person_uid and plan.active
    group by caused.place_uid`,
  )

export interface Wanted extends Omit<Among, 'uids'> {
  causes: readonly UnknownCause[]
  /** Null: everywhere. */
  placeUids: readonly PlaceUid[] | null
}

/** Unknown people of these causes and places, by name, after the given row. */
export function listCaused(
  tx: Tx,
  { causes, placeUids, ...among }: Wanted,
  { after = null, limit = null }: { after?: EvacueeUid | null; limit?: number | null } = {},
) {
  const { clientUid } = among
  return byHash(
    tx,
    sql<{ uid: EvacueeUid }>`
    with ${causedIn(among)}
    select uid from caused
    where cause = any (${causes}::text[])
      ${placeUids ? sql`and place_uid = any (${placeUids}::uuid[])` : sql``}
      ${after ? sql`and (sort_name, uid) > (select sort_name, uid from evacuee where client_uid = ${clientUid} and uid = ${after})` : sql``}
    order by sort_name, uid
    limit ${limit}`,
  )
}

/**
 * Forces hash joins. In the first seconds of an event, before statistics know it, the planner expects one row and compares
 * each person with each message: minutes instead of 0.2 s. With the usual memory of 4 MB the hashes of 99,000 people go through
 * files.
 */
async function byHash<Row>(tx: Tx, statement: RawBuilder<Row>): Promise<Row[]> {
  await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '16MB', true)`.execute(tx)
  const { rows } = await statement.execute(tx)
  await sql`set local enable_nestloop to default`.execute(tx)
  await sql`set local work_mem to default`.execute(tx)
  return rows
}
