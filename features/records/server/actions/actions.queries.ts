import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { listActions, NewAction, RecordAction } from '../../calls/additions.ts'
import { type Reach, touches } from '../record-access.service.ts'

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

export interface ActionRow {
  uid: string
  eventUid: EventUid
  number: number
  /** Its number in the record. Null: it was added before actions had one. */
  no: number | null
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

type Query = CallInput<typeof listActions>['query']

/** What a row of `seen` is sorted by, never null. */
const sortKeys: Record<NonNullable<Query['sort']>, RawBuilder<unknown>> = {
  no: sql`array[number, coalesce(no, 0)]`,
  what: sql`lower(body ->> 'what')`,
  record: sql`number`,
  site: sql`lower(site_name)`,
  priority: sql`array_position(array['High', 'Medium', 'Low'], body ->> 'priority')`,
  owner: sql`lower(body -> 'owner' ->> 'name')`,
  due: sql`body ->> 'due'`,
  state: sql`array_position(array['open', 'reopened', 'done', 'verified'], state)`,
}

interface Filter extends Pick<Query, 'state' | 'site' | 'sort' | 'direction' | 'after'> {
  /** Only those that this person owns. */
  ownerUid?: PersonUid | undefined
}

/** The earliest due first or as asked, behind the action `after`. One row more than a page. */
export async function listActionRows(
  tx: Tx,
  viewer: Viewer,
  { state, site, ownerUid, sort = 'due', direction = 'up', after }: Filter,
): Promise<ActionRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (state) conditions.push(states[state])
  if (site) conditions.push(sql`r.site_uid = ${site}`)
  if (ownerUid) conditions.push(sql`a.body -> 'owner' ->> 'person' = ${ownerUid}`)
  const [beyond, way] = direction === 'up' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const key = [sortKeys[sort], sortKeys.due, sql`uid`]
  // one that has left the list meanwhile still says where the next page begins
  const isBeyond = after
    ? sql`(${sql.join(key)}) ${beyond} (select ${sql.join(key)} from seen where uid = ${after})`
    : sql`true`
  const { rows } = await sql<ActionRow>`
    with seen as (
      select a.uid, a.event_uid, r.number, (a.body ->> 'no')::int as no, st.name as site_name, st.timezone, a.body,
        coalesce(last.step, 'open') as state, coalesce(last.uid, a.uid) as base_uid,
        last.by_person_uid as step_by_person_uid, ${dueIn} as due_in, ${sql.join(conditions, sql` and `)} as fits
      ${actionsOf(viewer)})
    select * from seen where fits and ${isBeyond}
    order by ${sql.join(key.map((each) => sql`${each} ${way}`))} limit 21`.execute(tx)
  return rows
}

/** Open actions within reach, and how many of them are overdue. */
export async function countActions(tx: Tx, viewer: Viewer): Promise<{ open: number; overdue: number }> {
  const { rows } = await sql<{ open: number; overdue: number }>`
    select (count(*) filter (where ${isOpen}))::int as open, (count(*) filter (where ${states.overdue}))::int as overdue
    ${actionsOf(viewer)}`.execute(tx)
  return rows[0] ?? { open: 0, overdue: 0 }
}

/** The number of the next action of the event. No one else adds one until the transaction ends, after `lockAdditions`. */
export async function nextNumber(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max((body ->> 'no')::int), 0) + 1 as next from record_entry
    where client_uid = ${clientUid} and event_uid = ${eventUid} and kind = 'action'`.execute(tx)
  return rows[0]?.next ?? 1
}
