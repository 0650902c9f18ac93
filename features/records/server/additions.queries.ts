import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { AdditionKind, NewAction, RecordAction } from '../calls/additions.ts'
import { type Reach, touches } from './record-access.service.ts'

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
  const person = sql<string>`(select first_name || ' ' || last_name from person
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

/** Who looks at actions, with all places of their reach. */
export interface Viewer {
  reach: Reach
  personUid: PersonUid | null
  places: ReadonlySet<string>
}

/** The action of this event and its last step. Undefined: there is none within reach. */
export async function findAction(
  tx: Tx,
  viewer: Viewer,
  eventUid: EventUid,
  uid: string,
): Promise<ActionNow | undefined> {
  const { rows } = await sql<ActionNow>`
    select coalesce(last.uid, a.uid) as base_uid, coalesce(last.step, 'open') as state, last.by_person_uid
    ${actionsOf(viewer)} and a.event_uid = ${eventUid} and a.uid = ${uid}`.execute(tx)
  return rows[0]
}

interface ActionNow {
  baseUid: string
  state: RecordAction['state']
  /** Who made the last step. */
  byPersonUid: PersonUid | null
}

/** The last step of action `a`: the one that no other follows. A from-item. */
export const lastStep = sql`lateral (
    select s.uid, s.body ->> 'step' as step, s.by_person_uid from record_entry s
    where s.client_uid = a.client_uid and s.kind = 'action_step' and s.target_uid = a.uid
      and not exists (select from record_entry later where later.client_uid = s.client_uid and later.base_uid = s.uid)
    limit 1
  ) last`

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

export interface ActionRow {
  uid: string
  eventUid: EventUid
  number: number
  siteName: string
  timezone: string
  body: NewAction
  state: RecordAction['state']
  baseUid: string
  stepByPersonUid: PersonUid | null
  dueIn: number
}

const dueIn = sql<number>`((a.body ->> 'due')::date - (now() at time zone st.timezone)::date)`
/** True if action `a` is open, by its `last` step. */
export const isOpen = sql`coalesce(last.step, 'open') in ('open', 'reopened')`
const states: Record<'open' | 'overdue' | 'done' | 'verified', RawBuilder<unknown>> = {
  open: isOpen,
  overdue: sql`${isOpen} and ${dueIn} < 0`,
  done: sql`last.step = 'done'`,
  verified: sql`last.step = 'verified'`,
}
/** Who reaches a part of an event sees own actions, and those from observations about places within reach. */
const isSeen = ({
  reach,
  personUid,
  places,
}: Viewer) => sql`(${reach.isSite} or r.building_uids <@ ${reach.buildingUids}::uuid[]
  or a.by_person_uid = ${personUid} or a.body -> 'owner' ->> 'person' = ${personUid}
  or exists (select from record_entry o where o.client_uid = a.client_uid and o.event_uid = a.event_uid
    and o.uid::text = a.body ->> 'from' and o.body ->> 'place' = any (${[...places]}::text[])))`
const actionsOf = (viewer: Viewer) => sql`
  from record_entry a
  join event_record r on r.client_uid = a.client_uid and r.event_uid = a.event_uid and ${touches(viewer.reach)}
  join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
  left join ${lastStep} on true
  where a.client_uid = ${viewer.reach.clientUid} and a.kind = 'action' and ${isSeen(viewer)}`

interface Filter {
  state?: keyof typeof states | undefined
  site?: SiteUid | undefined
  /** Only those that this person owns. */
  ownerUid?: PersonUid | undefined
  after?: string | undefined
}

/** The earliest due first, behind the action `after`. One row more than a page. */
export async function listActionRows(
  tx: Tx,
  viewer: Viewer,
  { state, site, ownerUid, after }: Filter,
): Promise<ActionRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (state) conditions.push(states[state])
  if (site) conditions.push(sql`r.site_uid = ${site}`)
  if (ownerUid) conditions.push(sql`a.body -> 'owner' ->> 'person' = ${ownerUid}`)
  if (after)
    conditions.push(sql`(a.body ->> 'due', a.uid) > (select b.body ->> 'due', b.uid from record_entry b
      where b.client_uid = ${viewer.reach.clientUid} and b.uid = ${after})`)
  const { rows } = await sql<ActionRow>`
    select a.uid, a.event_uid, r.number, st.name as site_name, st.timezone, a.body, coalesce(last.step, 'open') as state,
      coalesce(last.uid, a.uid) as base_uid, last.by_person_uid as step_by_person_uid, ${dueIn} as due_in
    ${actionsOf(viewer)} and ${sql.join(conditions, sql` and `)}
    order by a.body ->> 'due', a.uid limit 21`.execute(tx)
  return rows
}

/** Open actions within reach, and how many of them are overdue. */
export async function countActions(tx: Tx, viewer: Viewer): Promise<{ open: number; overdue: number }> {
  const { rows } = await sql<{ open: number; overdue: number }>`
    select (count(*) filter (where ${isOpen}))::int as open, (count(*) filter (where ${states.overdue}))::int as overdue
    ${actionsOf(viewer)}`.execute(tx)
  return rows[0] ?? { open: 0, overdue: 0 }
}
