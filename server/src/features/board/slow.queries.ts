import { sql } from 'kysely'
import type { Tx } from '../../platform/db/db.ts'
import type { PlaceUid } from '../evacuation/tally.service.ts'
import { smsNotActivated } from '../sms/queue.queries.ts'
import type { BoardOf } from './board-of.ts'

interface PlaceCount {
  placeUid: PlaceUid
  count: number
}

/** The time of the transaction, by the clock of the board's other times. */
export async function readSteadyNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select steady_now() as at`.execute(tx)
  return (rows[0] as { at: Date }).at
}

/** BOARD-10: people with a plan who are not safe, by place. */
export async function countPlans(tx: Tx, { clientUid, eventUid }: BoardOf): Promise<PlaceCount[]> {
  const { rows } = await sql<PlaceCount>`
    select v.place_uid, count(*)::int as count
    from peep q
    join evacuee v on v.client_uid = q.client_uid and v.event_uid = ${eventUid} and v.person_uid = q.person_uid
    where q.client_uid = ${clientUid} and q.active and v.active and v.status <> 'safe'
    group by v.place_uid`.execute(tx)
  return rows
}

/** BOARD-10: threads of the event, not of the drill that it was, whose newest message came in and set nothing, and when the oldest of these messages was written. */
export async function countUnanswered(
  tx: Tx,
  { clientUid, eventUid }: BoardOf,
): Promise<(PlaceCount & { oldest: Date })[]> {
  const { rows } = await sql<PlaceCount & { oldest: Date }>`
    select v.place_uid, count(*)::int as count, min(m.written_at) as oldest
    from message m
    join event e on e.client_uid = m.client_uid and e.uid = m.event_uid
    join evacuee v on v.client_uid = m.client_uid and v.uid = m.evacuee_uid
    where m.client_uid = ${clientUid} and m.event_uid = ${eventUid} and m.kind = 'evacuee' and m.direction = 'in'
      and m.recorded is null and m.written_at >= coalesce(e.counts_from, '-infinity') and v.active
      and not exists (select from message newer where newer.client_uid = m.client_uid and newer.event_uid = m.event_uid
        and newer.evacuee_uid = m.evacuee_uid and newer.seq > m.seq)
    group by v.place_uid`.execute(tx)
  return rows
}

/** BOARD-10: people who are not safe and whose newest text failed. It begins with the failed texts, which are few. */
export async function countFailedTexts(tx: Tx, { clientUid, eventUid }: BoardOf): Promise<PlaceCount[]> {
  const { rows } = await sql<PlaceCount>`
    select v.place_uid, count(*)::int as count
    from sms s
    join event e on e.client_uid = s.client_uid and e.uid = s.event_uid
    join evacuee v on v.client_uid = s.client_uid and v.event_uid = s.event_uid and v.person_uid = s.person_uid
    where s.client_uid = ${clientUid} and s.event_uid = ${eventUid} and s.status in ('failed', 'expired', 'skipped')
      and (s.status <> 'skipped' or s.reason is distinct from ${smsNotActivated})
      and s.created_at >= coalesce(e.live_from, '-infinity') and v.active and v.status <> 'safe'
      and not exists (select from sms newer where newer.client_uid = s.client_uid and newer.event_uid = s.event_uid
        and newer.person_uid = s.person_uid and (newer.created_at, newer.uid) > (s.created_at, s.uid))
    group by v.place_uid`.execute(tx)
  return rows
}

/** BOARD-05: people who are safe by their own word. */
export async function countOwnWord(tx: Tx, { clientUid, eventUid }: BoardOf): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from evacuee
    where client_uid = ${clientUid} and event_uid = ${eventUid} and active and status = 'safe'
      and text_status_at = status_at`.execute(tx)
  return rows[0]?.count ?? 0
}
