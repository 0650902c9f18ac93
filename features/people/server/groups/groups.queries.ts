import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, GroupUid, PersonUid } from '#kernel/ids.ts'
import { countedTo, type Span, spanned } from '#server/administrators/list-page.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'

const byName = [sql`gr.name collate "und-x-icu"`, sql`gr.uid`] as const

export interface StoredGroup {
  uid: GroupUid
  version: string
  changedAt: Date
  /** 'HH:MM' in the organisation's zone. */
  changedMinute: string
  name: string
  code: string
  active: boolean
  members: number
  keptBy: string[]
}

/** `gr` people_group. */
const columns = sql`gr.uid, to_char(gr.updated_at, 'YYYYMMDDHH24MISSUS') as version, gr.updated_at as changed_at,
  to_char(gr.updated_at at time zone (select timezone from client where uid = gr.client_uid), 'HH24:MI') as changed_minute,
  gr.name, gr.code, gr.active,
  (select count(*)::int from people_group_member m where m.client_uid = gr.client_uid and m.group_uid = gr.uid) as members,
  array(select p.name from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid
    where g.client_uid = gr.client_uid and g.group_uid = gr.uid and g.revoked_at is null
    order by p.last_name collate "und-x-icu", p.first_name collate "und-x-icu", p.uid) as kept_by`

export interface GroupFilters {
  q?: string | undefined
  state?: 'out' | 'all' | undefined
}

/** Groups are up to 2,000, so that the search may look at each. */
function matching(clientUid: ClientUid, { q = '', state }: GroupFilters): RawBuilder<unknown> {
  const begins = `${q
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
  const inState = state === 'all' ? sql`true` : state === 'out' ? sql`not gr.active` : sql`gr.active`
  return sql`people_group gr where gr.client_uid = ${clientUid} and ${inState}
    and (lower(gr.name) like ${begins} or lower(gr.code) like ${begins})`
}

export async function listGroups(tx: Tx, clientUid: ClientUid, filters: GroupFilters, span: Span) {
  const { condition, order } = spanned(byName, span)
  const { rows } = await sql<StoredGroup>`
    select ${columns} from ${matching(clientUid, filters)} and ${condition} ${order}`.execute(tx)
  return rows
}

export async function countGroups(tx: Tx, clientUid: ClientUid, filters: GroupFilters): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${matching(clientUid, filters)} limit ${countedTo + 1}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function findGroup(tx: Tx, clientUid: ClientUid, uid: GroupUid): Promise<StoredGroup | undefined> {
  const { rows } = await sql<StoredGroup>`
    select ${columns} from people_group gr where gr.client_uid = ${clientUid} and gr.uid = ${uid}`.execute(tx)
  return rows[0]
}

/** Every code, and the names of those in use, of other groups than `uid`. */
export async function listNamed(tx: Tx, clientUid: ClientUid, uid: GroupUid | null) {
  const { rows } = await sql<{ code: string; name: string; active: boolean }>`
    select code, name, active from people_group
    where client_uid = ${clientUid} and uid is distinct from ${uid}`.execute(tx)
  return rows
}

export interface NewGroup {
  clientUid: ClientUid
  name: string
  code: string
}

export async function insertGroup(tx: Tx, group: NewGroup): Promise<GroupUid> {
  const { uid } = await tx.insertInto('peopleGroup').values(group).returning('uid').executeTakeFirstOrThrow()
  return uid
}

export async function updateGroup(
  tx: Tx,
  { clientUid, uid, ...values }: NewGroup & { uid: GroupUid; active: boolean },
): Promise<void> {
  await tx
    .updateTable('peopleGroup')
    .set({ ...values, updatedAt: sql`clock_timestamp()` })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .execute()
}

/** How many of these people are within the condition on `p`. */
export async function countReached(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Pick<Within, 'person'>,
  people: readonly PersonUid[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from person p
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[]) and ${isWithin.person}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}
