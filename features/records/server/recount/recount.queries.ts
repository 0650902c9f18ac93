import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { Due } from '../record-work.queries.ts'

export interface Old extends Pick<Due, 'clientUid' | 'eventUid' | 'number' | 'siteUid' | 'kind'> {
  record: EventRecord
  timezone: string
}

/** A record of an older version whose event and journal are there, and that no one else counts meanwhile. Call in a transaction. */
export async function lockOld(tx: Tx): Promise<Old | undefined> {
  const { rows } = await sql<Old>`
    select r.client_uid, r.event_uid, r.number, r.site_uid, r.kind, r.summary as record, st.timezone
    from event_record r
    join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
    where r.state = 'ready' and r.recounted_at is null and not r.summary ? 'version'
      and exists (select from event e where e.client_uid = r.client_uid and e.uid = r.event_uid)
      and exists (select from journal j where j.client_uid = r.client_uid and j.event_uid = r.event_uid and j.action = 'event_started')
    order by r.ended_at desc limit 1 for update of r skip locked`.execute(tx)
  return rows[0]
}

/** Null: nothing differs. Lists go by the new result. */
export async function noteRecounted(tx: Tx, { clientUid, eventUid }: Old, figures: object | null): Promise<void> {
  await tx
    .updateTable('eventRecord')
    .set({
      recountedAt: sql`now()`,
      ...(figures && {
        recount: JSON.stringify(figures),
        result: sql<string>`${JSON.stringify(figures)}::jsonb -> 'result' ->> 'word'`,
      }),
    })
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .execute()
}

/** The time of the database. */
export async function readNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  return (rows[0] as { now: Date }).now
}
