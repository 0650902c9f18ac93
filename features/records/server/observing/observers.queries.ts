import { sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { linkUntil } from '#server/wardens/observer.ts'

export interface ObserverRow {
  uid: string
  name: string
  /** When the link ends or was ended. Null while the event runs. */
  until: Date | null
  ended: boolean
  notes: number
}

const rowsOf = (clientUid: ClientUid, eventUid: EventUid) => sql<ObserverRow>`
  select l.uid, l.name, coalesce(l.revoked_at, ${linkUntil}) as until,
    (l.revoked_at is not null or e.uid is null or coalesce(${linkUntil} <= now(), false)) as ended,
    (select count(*)::int from record_entry n where n.client_uid = l.client_uid and n.by_observer_uid = l.uid) as notes
  from observer_link l left join event e on e.client_uid = l.client_uid and e.uid = l.event_uid
  where l.client_uid = ${clientUid} and l.event_uid = ${eventUid}`

export async function listObserverRows(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<ObserverRow[]> {
  const { rows } = await sql<ObserverRow>`${rowsOf(clientUid, eventUid)} order by l.made_at, l.uid`.execute(tx)
  return rows
}

export async function findObserverRow(
  tx: Tx,
  clientUid: ClientUid,
  eventUid: EventUid,
  uid: string,
): Promise<ObserverRow | undefined> {
  const { rows } = await sql<ObserverRow>`${rowsOf(clientUid, eventUid)} and l.uid = ${uid}`.execute(tx)
  return rows[0]
}

interface NewLink {
  uid: string
  clientUid: ClientUid
  eventUid: EventUid
  name: string
  tokenHash: Buffer
  madeByPersonUid: PersonUid
}

export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  await tx.insertInto('observerLink').values(link).execute()
}

/** False if the link has been ended before. */
export async function revokeLink(tx: Tx, clientUid: ClientUid, uid: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('observerLink')
    .set({ revokedAt: sql<Date>`now()` })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Until the transaction ends no one else makes a link for the event. */
export async function lockLinks(tx: Tx, eventUid: EventUid): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`observers/${eventUid}`}, 0))`.execute(tx)
}

/** One note of an observer after the other. Ended links wait for nothing. Returns whether the link stands. */
export async function lockLink(tx: Tx, uid: string): Promise<boolean> {
  const { rows } =
    await sql`select from observer_link where uid = ${uid} and revoked_at is null for no key update`.execute(tx)
  return rows.length > 0
}
