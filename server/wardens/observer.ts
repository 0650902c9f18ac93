import { sql } from 'kysely'
import { observerLinkDays } from '#features/records/kinds.ts'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Db } from '../platform/db/db.ts'

/** Who makes a request by an observer's link. Read from the database on every request and never cached. */
export interface ObserverActor {
  uid: string
  clientUid: ClientUid
  eventUid: EventUid
  name: string
}

/** When the link `l` of event `e` ends. Null while the event runs. */
export const linkUntil = sql<Date | null>`(e.ended_at + make_interval(days => ${sql.lit(observerLinkDays)}))`

/** The observer of a link that has not ended. An unknown link and an ended one are the same. */
export async function findObserver(db: Db, tokenHash: Buffer): Promise<ObserverActor | undefined> {
  const { rows } = await sql<ObserverActor>`
    select l.uid, l.client_uid, l.event_uid, l.name
    from observer_link l
    join client c on c.uid = l.client_uid and c.active
    join event e on e.client_uid = l.client_uid and e.uid = l.event_uid
    where l.token_hash = ${tokenHash} and l.revoked_at is null and coalesce(${linkUntil} > now(), true)`.execute(db)
  return rows[0]
}
