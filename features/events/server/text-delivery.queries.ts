import { sql } from 'kysely'
import type { EventUid } from '#kernel/ids.ts'
import type { TextState } from '#kernel/kinds.ts'
import type { Db } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'

/** Texts of the event and report-in links, without messages of wardens. */
const ofEvent = sql`('event_message', 'warden_alert', 'event_concluded', 'report_in_link')`

export async function countEventTexts(db: Db, eventUid: EventUid): Promise<{ status: TextState; count: number }[]> {
  const { rows } = await sql<{ status: TextState; count: number }>`
    select status, count(*)::int as count from sms
    where event_uid = ${eventUid} and kind in ${ofEvent} group by status`.execute(db)
  return rows
}

/** All kinds of texts, including messages of wardens. */
export async function countSkippedFor(db: Db, eventUid: EventUid, reason: string): Promise<number> {
  const { count } = await db
    .selectFrom('sms')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventUid', '=', eventUid)
    .where('status', '=', 'skipped')
    .where('reason', '=', reason)
    .executeTakeFirstOrThrow()
  return count
}

export async function isWritingBroadcasts(db: Db, eventUid: EventUid): Promise<boolean> {
  const open = db.selectFrom('broadcast').select('uid').where('eventUid', '=', eventUid).where('finishedAt', 'is', null)
  return (await open.limit(1).execute()).length > 0
}

export interface UnreachedRow {
  uid: string
  name: string
  mobile: string | null
  buildingName: string | null
  floorName: string | null
  isWarden: boolean
  status: TextState
  reason: string | null
}

/**
 * People of the event whose newest text has not arrived, by name. `afterUid` is the text of the last row seen. People who
 * have left the event with their building are not included.
 */
export async function listUnreachedRows(
  db: Db,
  eventUid: EventUid,
  afterUid: string | null,
  limit: number,
): Promise<UnreachedRow[]> {
  const { rows } = await sql<UnreachedRow>`
    with after as (
      select ${nameInOrder} as sort_name, s.uid
      from sms s join person p on p.client_uid = s.client_uid and p.uid = s.person_uid
      where s.event_uid = ${eventUid} and s.uid = ${afterUid}
    )
    select s.uid, p.name, p.mobile, s.status, s.reason,
      b.name as building_name, f.name as floor_name, e.uid is null as is_warden
    from sms s
    join person p on p.client_uid = s.client_uid and p.uid = s.person_uid
    left join evacuee e on e.client_uid = s.client_uid and e.event_uid = s.event_uid and e.person_uid = s.person_uid
      and e.active
    left join floor f on f.client_uid = p.client_uid
      and f.uid = case when e.uid is null then p.primary_floor_uid else e.floor_uid end
    left join building b on b.client_uid = p.client_uid and b.uid = coalesce(e.building_uid, f.building_uid)
    where s.event_uid = ${eventUid} and s.kind in ${ofEvent}
      and s.status in ('failed', 'expired', 'unconfirmed', 'skipped')
      and (e.uid is not null or exists (select from warden_sign_in si where si.client_uid = s.client_uid
        and si.event_uid = s.event_uid and si.person_uid = s.person_uid and si.closed_at is null))
      and not exists (select from sms newer where newer.client_uid = s.client_uid and newer.event_uid = s.event_uid
        and newer.person_uid = s.person_uid and newer.kind in ${ofEvent}
        and (newer.created_at, newer.uid) > (s.created_at, s.uid))
      and (${afterUid}::uuid is null
        or (${nameInOrder}, s.uid) > (select sort_name, uid from after))
    order by ${nameInOrder}, s.uid
    limit ${limit}`.execute(db)
  return rows
}
