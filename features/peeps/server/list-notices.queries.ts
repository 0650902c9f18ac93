import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

interface NoticeRow {
  site: string
  beganAt: Date
  how: 'later' | 'mail' | 'text' | 'none' | 'in_person'
  at: Date | null
}

/** Whether the person was told of each event in which their plan was opened, newest first. */
export async function listNotices(
  tx: Tx,
  clientUid: ClientUid,
  personUid: PersonUid,
  most: number,
): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select st.name as site, e.started_at as began_at, coalesce(n.in_person_at, n.told_at) as at,
      case when n.in_person_at is not null then 'in_person' else coalesce(n.how, 'later') end as how
    from plan_notice n
    join event e on e.client_uid = n.client_uid and e.uid = n.event_uid
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where n.client_uid = ${clientUid} and n.person_uid = ${personUid}
    order by e.started_at desc, n.uid limit ${most}`.execute(tx)
  return rows
}

/** Locks the notices that did not reach the person. */
export async function lockUntold(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<string[]> {
  const rows = await tx
    .selectFrom('planNotice')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('personUid', '=', personUid)
    .where('how', '=', 'none')
    .where('inPersonAt', 'is', null)
    .orderBy('uid')
    .forUpdate()
    .execute()
  return rows.map(({ uid }) => uid)
}

export async function setToldInPerson(
  tx: Tx,
  { clientUid, uids, byPersonUid }: { clientUid: ClientUid; uids: readonly string[]; byPersonUid: PersonUid },
): Promise<void> {
  await tx
    .updateTable('planNotice')
    .set({ inPersonAt: sql<Date>`now()`, inPersonByUid: byPersonUid })
    .where('clientUid', '=', clientUid)
    .where('uid', 'in', uids)
    .execute()
}
