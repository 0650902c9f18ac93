import { sql } from 'kysely'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type AdditionRow, columns, mostAdditions } from '../additions.queries.ts'
import type { Author } from '../additions.service.ts'

/** Observations and answers of one author, oldest first. */
export async function listNotes(
  tx: Tx,
  eventUid: EventUid,
  { clientUid, personUid, observer }: Author,
): Promise<AdditionRow[]> {
  const own = tx
    .selectFrom('recordEntry')
    .select(columns)
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('kind', 'in', ['observation', 'checklist'])
  const by = observer ? own.where('byObserverUid', '=', observer.uid) : own.where('byPersonUid', '=', personUid)
  return (await by.orderBy('recordedAt').orderBy('uid').limit(mostAdditions).execute()) as AdditionRow[]
}

/** What an observer has noted: in all, and in the last hour. */
export async function countNotes(tx: Tx, observerUid: string): Promise<{ all: number; lately: number }> {
  const { rows } = await sql<{ all: number; lately: number }>`
    select count(*)::int as all, (count(*) filter (where recorded_at > now() - interval '1 hour'))::int as lately
    from record_entry where by_observer_uid = ${observerUid}`.execute(tx)
  return rows[0] ?? { all: 0, lately: 0 }
}

/** The organisation's own items of the checklist in their order, in use or not. */
export async function listItems(tx: Tx, clientUid: ClientUid): Promise<{ text: string; active: boolean }[]> {
  return tx
    .selectFrom('checklistItem')
    .select(['text', 'active'])
    .where('clientUid', '=', clientUid)
    .orderBy('displayOrder')
    .orderBy('uid')
    .execute()
}
