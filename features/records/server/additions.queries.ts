import { sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { AdditionKind } from '../calls/additions.ts'
import type { Reach } from './record-access.service.ts'

/** What people may add to one record. */
export const mostAdditions = 5_000

export interface AdditionRow {
  uid: string
  kind: AdditionKind
  targetUid: string | null
  baseUid: string | null
  body: JsonObject
  byPersonUid: PersonUid | null
  byName: string
  byRole: string | null
  observedAt: Date | null
  recordedAt: Date
  /** Null: a person was erased from it, so that its line cannot be made any more. */
  salt: string | null
}

export const columns = [
  ...(['uid', 'kind', 'targetUid', 'baseUid', 'body', 'byPersonUid', 'byName', 'byRole', 'observedAt'] as const),
  ...(['recordedAt', 'salt'] as const),
] as const

/** The additions of an event in the order in which they were made. */
export async function listAdditions(
  tx: Db,
  { clientUid }: Pick<Reach, 'clientUid'>,
  eventUid: EventUid,
): Promise<AdditionRow[]> {
  const rows = await tx
    .selectFrom('recordEntry')
    .select(columns)
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .orderBy('recordedAt')
    .orderBy('uid')
    .limit(mostAdditions)
    .execute()
  return rows as AdditionRow[]
}

/** Until the transaction ends no one else adds to this record. */
export async function lockAdditions(tx: Tx, eventUid: EventUid): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`additions/${eventUid}`}, 0))`.execute(tx)
}

export async function countAdditions(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<number> {
  const { count } = await tx
    .selectFrom('recordEntry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .executeTakeFirstOrThrow()
  return count
}

export interface NewRow {
  clientUid: ClientUid
  eventUid: EventUid
  kind: AdditionKind
  targetUid: string | null
  baseUid: string | null
  body: JsonObject
  byPersonUid: PersonUid | null
  observer: { uid: string; name: string } | undefined
  product: string | undefined
  observedAt: string | null
  salt: string
}

/** Undefined if a step already follows the same one: the unique index decides. */
export async function insertAddition(
  tx: Tx,
  { body, observer, product, ...row }: NewRow,
): Promise<AdditionRow | undefined> {
  const person = sql<string>`(select name from person
    where client_uid = ${row.clientUid} and uid = ${row.byPersonUid})`
  const byName = observer?.name ?? product ?? person
  const role = sql<string | null>`(select r.name from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where si.client_uid = ${row.clientUid} and si.event_uid = ${row.eventUid} and si.person_uid = ${row.byPersonUid} limit 1)`
  const added = await tx
    .insertInto('recordEntry')
    .values({ ...row, body: JSON.stringify(body), byName, byRole: role, byObserverUid: observer?.uid ?? null })
    .onConflict((conflict) => conflict.columns(['clientUid', 'baseUid']).doNothing())
    .returning(columns)
    .executeTakeFirst()
  return added as AdditionRow | undefined
}

export async function isAddition(tx: Tx, clientUid: ClientUid, eventUid: EventUid, kind: AdditionKind, uid: string) {
  const found = tx
    .selectFrom('recordEntry')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('kind', '=', kind)
    .where('uid', '=', uid)
  return (await found.execute()).length > 0
}
