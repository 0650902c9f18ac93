import { sql } from 'kysely'
import { headersOf, type RowOf } from '#features/directory/column-kinds.ts'
import { columns } from '#features/directory/columns.ts'
import type { StatusAction } from '#kernel/actions.ts'
import type { ClientUid, EventTypeUid, FloorStatusUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/** Changes with every change of the row. */
const version = sql<string>`extract(epoch from updated_at)::text`

export interface StatusRow {
  uid: FloorStatusUid
  version: string
  name: string
  colour: string
  inUse: boolean
  meansClear: boolean
  action: StatusAction | null
}

/** In the order of the list, those of events in which people leave first. */
export async function listStatuses(tx: Tx, clientUid: ClientUid): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`
    select uid, ${version} as version, name, colour, in_use, means_clear, action from floor_status
    where client_uid = ${clientUid} order by action is not null, action, display_order, uid`.execute(tx)
  return rows
}

export async function findLastOrder(
  tx: Tx,
  clientUid: ClientUid,
  table: 'floorStatus' | 'checklistItem',
): Promise<number> {
  const { last } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.max('displayOrder').as('last'))
    .where('clientUid', '=', clientUid)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

interface EventTypeRow extends RowOf<typeof columns.eventTypes> {
  uid: EventTypeUid
  version: string
}

export async function listEventTypes(tx: Tx, clientUid: ClientUid): Promise<EventTypeRow[]> {
  const { rows } = await sql<EventTypeRow>`
    select uid, ${version} as version, ${sql.join([...headersOf(columns.eventTypes).keys()].map((name) => sql.ref(name)))}
    from event_type
    where client_uid = ${clientUid} order by not active, type collate "und-x-icu", uid`.execute(tx)
  return rows
}

export interface ItemRow {
  uid: string
  version: string
  text: string
  active: boolean
}

/** In the order of the list. */
export async function listItems(tx: Tx, clientUid: ClientUid): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select uid, ${version} as version, text, active from checklist_item
    where client_uid = ${clientUid} order by display_order, uid`.execute(tx)
  return rows
}

interface TemplateRow {
  uid: string
  version: string
  code: string
  type: 'Warden' | 'Evacuee'
  text: string
  automatedResponse: boolean
  active: boolean
}

export async function listTemplates(tx: Tx, clientUid: ClientUid): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select uid, ${version} as version, code, type, text, automated_response, active from message_template
    where client_uid = ${clientUid} order by not active, type, text collate "und-x-icu", uid`.execute(tx)
  return rows
}

export type ListTable = 'floor_status' | 'checklist_item' | 'event_type' | 'message_template' | 'document'

export interface HeldListRow {
  version: string
  updatedAt: Date
}

/** The row, held until the end of the transaction. An event type is held also against an event that begins with it. */
export async function holdListRow(
  tx: Tx,
  clientUid: ClientUid,
  table: ListTable,
  uid: string,
): Promise<HeldListRow | undefined> {
  const strength = sql.raw(table === 'event_type' ? 'update' : 'no key update')
  const { rows } = await sql<HeldListRow>`
    select ${version} as version, updated_at from ${sql.table(table)}
    where client_uid = ${clientUid} and uid = ${uid} for ${strength}`.execute(tx)
  return rows[0]
}

export async function countRows(tx: Tx, clientUid: ClientUid, table: ListTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where client_uid = ${clientUid}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The site of a running event of this type. Undefined if there is none. */
export async function findSiteOfRunning(tx: Tx, clientUid: ClientUid, uid: EventTypeUid): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select st.name from event e join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where e.client_uid = ${clientUid} and e.ended_at is null and e.event_type_uid = ${uid} limit 1`.execute(tx)
  return rows[0]?.name
}

export async function findTypeName(tx: Tx, clientUid: ClientUid, uid: EventTypeUid): Promise<string | undefined> {
  const found = await tx
    .selectFrom('eventType')
    .select('type')
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return found?.type
}

export async function findZone(db: Db, clientUid: ClientUid): Promise<string> {
  const { timezone } = await db
    .selectFrom('client')
    .select('timezone')
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
  return timezone
}
