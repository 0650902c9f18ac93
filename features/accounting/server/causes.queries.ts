import { type RawBuilder, sql } from 'kysely'
import type { UnknownCause } from '#features/board/kinds.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import { smsNotActivated } from '#features/texts/server/queue.queries.ts'
import type { ClientUid, EvacueeUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

/** Which people of an event. */
interface Among {
  clientUid: ClientUid
  eventUid: EventUid
  /** Rows of the event. Without them all. */
  uids?: readonly EvacueeUid[]
}

const ofEvent = (table: string, { clientUid, eventUid }: Among) =>
  sql`${sql.ref(`${table}.client_uid`)} = ${clientUid} and ${sql.ref(`${table}.event_uid`)} = ${eventUid}`
const amongOf = ({ uids }: Among, column: string) =>
  uids ? sql`and ${sql.ref(column)} = any (${uids}::uuid[])` : sql``

/**
 * Parts of a statement. Messages and texts of a drill say nothing of the live event that it became.
 *
 * 1. `unclear`: whose newest message came in and set nothing.
 * 2. `failed`: whose newest text failed. `offset 0`: by status, of which few failed. With the index of times in it each page is read.
 */
export function unreachedIn(among: Among) {
  const { clientUid, uids } = among
  const texted = uids
    ? sql`and s.person_uid in (select person_uid from evacuee where client_uid = ${clientUid} and uid = any (${uids}::uuid[]))`
    : sql``
  return sql`
    since as (
      select coalesce(counts_from, '-infinity') as written, coalesce(live_from, '-infinity') as texted
      from event where client_uid = ${clientUid} and uid = ${among.eventUid}
    ), unclear as (
      select m.evacuee_uid, m.written_at
      from message m
      where ${ofEvent('m', among)} and m.evacuee_uid is not null ${amongOf(among, 'm.evacuee_uid')}
        and m.direction = 'in' and m.recorded is null and m.written_at >= (select written from since)
        and not exists (select from message newer where ${ofEvent('newer', among)}
          and newer.evacuee_uid = m.evacuee_uid and newer.seq > m.seq)
    ), failed as (
      select s.person_uid
      from (
        select s.person_uid, s.created_at, s.uid from sms s
        where ${ofEvent('s', among)} and s.person_uid is not null ${texted}
          and s.status in ('failed', 'expired', 'skipped') and (s.status <> 'skipped' or s.reason is distinct from ${smsNotActivated})
        offset 0
      ) s
      where s.created_at >= (select texted from since)
        and not exists (select from sms newer where ${ofEvent('newer', among)}
          and newer.person_uid = s.person_uid and (newer.created_at, newer.uid) > (s.created_at, s.uid))
    )`
}

/** True for message m with which a warden, or a question, asks someone. The event's own message stands in each thread, too. */
export const isAsking = (among: Among) => sql<boolean>`
  (${ofEvent('m', among)} and m.evacuee_uid is not null ${amongOf(among, 'm.evacuee_uid')}
    and m.direction = 'out' and m.written_at >= (select written from since)
    and m.created_at not in (select created_at from broadcast where ${ofEvent('broadcast', among)}))`

/** The part `caused` of a statement: active people of an event, each with the cause of who is unknown, the first that holds. */
export const causedIn = (among: Among) => sql`
    ${unreachedIn(among)}, asked as (
      select distinct m.evacuee_uid from message m where ${isAsking(among)}
    ), caused as (
      select e.*, case
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
      where ${ofEvent('e', among)} and e.active ${amongOf(among, 'e.uid')}
    )`

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
 * Forces hash joins, in one process. In the first seconds of an event, before statistics know it, the planner expects one row and
 * compares each person with each message: minutes instead of 0.2 s. With the usual memory of 4 MB the hashes of 99,000 people go
 * through files. Parallel workers would take the processors of those who record.
 */
export async function byHash<Row>(tx: Tx, statement: RawBuilder<Row>): Promise<Row[]> {
  await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '16MB', true),
    set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx)
  const { rows } = await statement.execute(tx)
  await sql`set local enable_nestloop to default; set local work_mem to default;
    set local max_parallel_workers_per_gather to default`.execute(tx)
  return rows
}
