import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { assignmentIsInDate } from '#server/wardens/live-session.ts'
import { areaPlaces } from '#server/wardens/warden-area.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { Of } from '../count/facts.queries.ts'

/** Days after the end in which a record is mailed. One that is written of an old event is not. */
const mailDays = 7

/** Ready records without a closing mail whose closing stands under the newest head. */
export async function listUnmailed(system: Db): Promise<Of[]> {
  const { rows } = await sql<Of>`
    select r.client_uid, r.event_uid from event_record r
    join record_log l on l.client_uid = r.client_uid and l.event_uid = r.event_uid
    where r.state = 'ready' and r.mailed_at is null and r.ended_at > now() - make_interval(days => ${mailDays})
      and l.head_size = l.size and exists (select from journal j
        where j.client_uid = r.client_uid and j.event_uid = r.event_uid and j.action = 'record_closed'
          and (j.xid, j.position) <= (l.last_xid, l.last_position))
    order by r.ended_at`.execute(system)
  return rows
}

export interface Mailed {
  record: EventRecord
  size: number
  /** In base64. */
  root: string
}

/** Notes that the record is mailed. Undefined if another worker has noted it. */
export async function takeUnmailed(tx: Tx, { clientUid, eventUid }: Of): Promise<Mailed | undefined> {
  const { rows } = await sql<Mailed>`
    update event_record r set mailed_at = now()
    from lateral (select size, root from record_head
      where client_uid = ${clientUid} and event_uid = ${eventUid} order by size desc limit 1) h
    where r.client_uid = ${clientUid} and r.event_uid = ${eventUid} and r.state = 'ready' and r.mailed_at is null
    returning r.summary as record, h.size::float8 as size, encode(h.root, 'base64') as root`.execute(tx)
  return rows[0]
}

/** The addresses of the site's event managers whose places have all buildings of the event: sentences name floors. */
export async function listManagers(
  tx: Tx,
  { clientUid, eventUid }: Of,
): Promise<{ accountUid: string | null; email: string }[]> {
  const { rows } = await sql<{ accountUid: string | null; email: string }>`
    select distinct on (lower(coalesce(c.email, p.email))) p.account_uid, coalesce(c.email, p.email) as email
    from event_record e
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    join warden_assignment a on a.client_uid = e.client_uid and a.site_uid = e.site_uid and ${assignmentIsInDate}
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Event_Management' = any (r.modules)
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    left join account c on c.uid = p.account_uid
    where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and coalesce(c.email, p.email) is not null
      and (r.area_domain = 'Site' or e.building_uids <@ array(select l.whole_building_uid from ${areaPlaces} l
        where l.client_uid = a.client_uid and l.assignment_uid = a.uid and l.whole_building_uid is not null))
    order by lower(coalesce(c.email, p.email)), p.uid`.execute(tx)
  return rows
}
