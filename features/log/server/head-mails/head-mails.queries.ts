import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { LogOf } from '../sealing.queries.ts'

/** A head is mailed at the start of an event and at the closing of its record. */
export type Moment = 'start' | 'closing'

/**
 * Logs whose head of a moment was not mailed yet: of an event that started within a day, and of a record that was closed under the
 * newest head within a week of the end. Never of a suspended organisation.
 */
export async function listUnmailed(system: Db): Promise<(LogOf & { moment: Moment })[]> {
  const { rows } = await sql<LogOf & { moment: Moment }>`
    select l.client_uid, l.event_uid, 'start' as moment from record_log l
    join client c on c.uid = l.client_uid and c.active
    join event e on (e.client_uid, e.uid) = (l.client_uid, l.event_uid) and e.started_at > now() - interval '1 day'
    where l.start_mailed_at is null and l.head_size > 0
    union all
    select l.client_uid, l.event_uid, 'closing' from record_log l
    join client c on c.uid = l.client_uid and c.active
    join event_record r on (r.client_uid, r.event_uid) = (l.client_uid, l.event_uid)
      and r.state = 'ready' and r.ended_at > now() - interval '7 days'
    where l.closing_mailed_at is null and l.head_size = l.size and exists (select from journal j
      where (j.client_uid, j.event_uid) = (l.client_uid, l.event_uid) and j.action = 'record_closed'
        and (j.xid, j.position) <= (l.last_xid, l.last_position))`.execute(system)
  return rows
}

const mailedAt = { start: sql.ref('start_mailed_at'), closing: sql.ref('closing_mailed_at') }

/** What is mailed of a log: its newest head, and to whom. */
export interface Unmailed {
  addresses: string[]
  size: number
  /** In base64. */
  root: string
  /** The signed note. */
  note: string
}

/** Notes that the head of the moment is mailed. Undefined if another worker has noted it, or the organisation is suspended. */
export async function takeUnmailed(
  tx: Tx,
  { clientUid, eventUid }: LogOf,
  moment: Moment,
): Promise<Unmailed | undefined> {
  const { rows } = await sql<Unmailed>`
    update record_log l set ${mailedAt[moment]} = now()
    from client c, lateral (select size, root, note from record_head
      where client_uid = ${clientUid} and event_uid = ${eventUid} order by size desc limit 1) h
    where (l.client_uid, l.event_uid) = (${clientUid}, ${eventUid}) and l.${mailedAt[moment]} is null
      and c.uid = l.client_uid and c.active
    returning array_remove(string_to_array(c.log_head_addresses, E'\n'), '') as addresses, h.size::float8 as size,
      encode(h.root, 'base64') as root, h.note`.execute(tx)
  return rows[0]
}

/** Where and when an event was, for the subject of a mail. */
export async function findPlaceAndTime(tx: Tx, { clientUid, eventUid }: LogOf) {
  const { rows } = await sql<{ site: string | null; startedAt: Date | null; timezone: string; isDrill: boolean }>`
    select st.name as site, coalesce(e.started_at, r.began_at) as started_at, coalesce(st.timezone, 'UTC') as timezone,
      coalesce(e.kind, r.kind) = 'drill' as is_drill
    from (select) one
    left join event e on (e.client_uid, e.uid) = (${clientUid}, ${eventUid})
    left join event_record r on (r.client_uid, r.event_uid) = (${clientUid}, ${eventUid})
    left join site st on st.client_uid = ${clientUid} and st.uid = coalesce(e.site_uid, r.site_uid)`.execute(tx)
  return rows[0]
}
