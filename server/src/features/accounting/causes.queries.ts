import type { UnknownCause } from '@evac/contract/command/board-words.ts'
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
 * The part `caused` of a statement: unknown people of an event, each with the cause (REC-05), the first that holds. Messages
 * and texts of a drill say nothing of the live event that it became. Of all people, messages and texts are read once and in no
 * order, because that is faster than 99,000 look-ups of the newest.
 */
export function causedIn({ clientUid, eventUid, uids }: Among) {
  const among = (column: string) => (uids ? sql`and ${sql.ref(column)} = any (${uids}::uuid[])` : sql``)
  const texted = uids
    ? sql`and person_uid in (select person_uid from evacuee where client_uid = ${clientUid} and uid = any (${uids}::uuid[]))`
    : sql``
  return sql`
    since as (
      select coalesce(counts_from, '-infinity') as written, coalesce(live_from, '-infinity') as texted
      from event where client_uid = ${clientUid} and uid = ${eventUid}
    ), own_message as (
      -- the event's own message stands in each thread, too
      select created_at from broadcast where client_uid = ${clientUid} and event_uid = ${eventUid}
    ), talk as (
      select evacuee_uid, bool_or(direction = 'out' and created_at not in (select created_at from own_message)) as is_asked,
        max(seq) = max(seq) filter (where direction = 'in' and recorded is null) as is_unclear
      from message
      where client_uid = ${clientUid} and event_uid = ${eventUid} and evacuee_uid is not null ${among('evacuee_uid')}
        and written_at >= (select written from since)
      group by evacuee_uid
    ), texted as (
      select person_uid, max(created_at) = max(created_at) filter (where status in ('failed', 'expired')
        or status = 'skipped' and reason is distinct from ${smsNotActivated}) as is_failed
      from sms
      where client_uid = ${clientUid} and event_uid = ${eventUid} and person_uid is not null ${texted}
        and created_at >= (select texted from since)
      group by person_uid
    ), caused as (
      select e.uid, e.person_uid, e.place_uid, e.sort_name, case
        when talk.is_unclear then 'unclear'
        when texted.is_failed then 'text_failed'
        when talk.is_asked then 'asked'
        when e.seen_before_at is not null then 'seen_before'
        else 'not_asked' end as cause
      from evacuee e
      left join talk on talk.evacuee_uid = e.uid
      left join texted on texted.person_uid = e.person_uid
      where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.active and e.status = 'unknown' ${among('e.uid')}
    )`
}

export interface CausesOfPlace {
  placeUid: PlaceUid
  cause: UnknownCause
  count: number
}

export const countCauses = (tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<CausesOfPlace[]> =>
  byHash(
    tx,
    sql<CausesOfPlace>`
    with ${causedIn({ clientUid, eventUid })}
    select place_uid, cause, count(*)::int as count from caused group by place_uid, cause`,
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
 * each person with each message: minutes instead of 0.2 s.
 */
async function byHash<Row>(tx: Tx, statement: RawBuilder<Row>): Promise<Row[]> {
  await sql`set local enable_nestloop = off`.execute(tx)
  const { rows } = await statement.execute(tx)
  await sql`set local enable_nestloop = on`.execute(tx)
  return rows
}
