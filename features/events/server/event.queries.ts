import { type RawBuilder, sql } from 'kysely'
import { headersOf, type RowOf } from '#features/directory/column-kinds.ts'
import { columns } from '#features/directory/columns.ts'
import type { Action } from '#kernel/actions.ts'
import type { EventName } from '#kernel/event-name.ts'
import type {
  AssignmentUid,
  BuildingUid,
  ClientUid,
  EventTypeUid,
  EventUid,
  FloorUid,
  PersonUid,
  SignInUid,
  SiteUid,
} from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import { type Db, prepared, type Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import type { BuildingAction } from '#server/wardens/building-action.ts'
import { eventName } from '#server/wardens/event-name.ts'
import { assignmentIsCurrent, assignmentIsInDate } from '#server/wardens/live-session.ts'
import { usualFloorStatuses } from '#server/wardens/usual-floor-statuses.ts'
import { areaHas } from '#server/wardens/warden-area.ts'

export type ManagedBuilding = {
  siteUid: SiteUid
  siteName: string
  buildingUid: BuildingUid
  buildingName: string
  manageable: boolean
} & (
  | {
      eventUid: EventUid
      eventTypeUid: EventTypeUid
      eventName: EventName
      eventKind: EventKind
      action: Action
      actionWhere: string
      actionFrom: Date
      actionBefore: Action | null
    }
  | { eventUid: null }
)

/**
 * Buildings in which the person may start and end events, by current assignments whose role manages events. Also
 * the other buildings of those sites that are in an event, marked as not manageable.
 */
export async function listManagedBuildings(db: Db, personUid: PersonUid): Promise<ManagedBuilding[]> {
  const { rows } = await sql<ManagedBuilding>`${prepared('list_managed_buildings')}
    with authority as (
      select a.uid, a.client_uid, a.site_uid, r.area_domain
      from warden_assignment a
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
      left join event e on e.client_uid = a.client_uid and e.site_uid = a.site_uid and e.ended_at is null
      left join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid and si.assignment_uid = a.uid
      where a.person_uid = ${personUid} and ${assignmentIsCurrent} and 'Event_Management' = any (r.modules)
    ), reach as (
      select b.client_uid, b.uid, b.site_uid, b.name, exists (
        select from authority au
        where au.client_uid = b.client_uid and au.site_uid = b.site_uid and (au.area_domain = 'Site'
            or ${areaHas(sql`l.building_uid = b.uid`, { clientUid: sql`au.client_uid`, uid: sql`au.uid` })})) as manageable
      from building b
      where (b.client_uid, b.site_uid) in (select client_uid, site_uid from authority) and b.retired_at is null
    )
    select st.uid as site_uid, st.name as site_name, b.uid as building_uid, b.name as building_name, b.manageable,
      e.uid as event_uid, e.event_type_uid, ${eventName} as event_name, e.kind as event_kind,
      eb.action, eb.action_where, coalesce(eb.action_from, eb.added_at) as action_from, eb.action_before
    from reach b
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
    left join event_building eb on eb.client_uid = b.client_uid and eb.building_uid = b.uid and eb.active
    left join event e on e.client_uid = eb.client_uid and e.uid = eb.event_uid
    left join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    where b.manageable or eb.uid is not null
    order by st.name, b.name`.execute(db)
  return rows
}

/** Those in use, with every property. */
export async function listEventTypes(db: Db) {
  const { rows } = await sql<RowOf<typeof columns.eventTypes> & { uid: EventTypeUid }>`
    select uid, ${sql.join([...headersOf(columns.eventTypes).keys()].map((name) => sql.ref(name)))}
    from event_type where active order by type`.execute(db)
  return rows
}

export interface ActiveEvent {
  uid: EventUid
  siteUid: SiteUid
  siteName: string
  eventTypeUid: EventTypeUid
  name: EventName
  kind: EventKind
  /** It began as a drill and became live. */
  wasDrill: boolean
  /** The newest change of an action. Null: all as they began. */
  change: string | null
}

export function findActiveEvent(db: Db, siteUid: SiteUid): Promise<ActiveEvent | undefined> {
  return db
    .selectFrom('event as e')
    .innerJoin('eventType as et', (j) =>
      j.onRef('et.clientUid', '=', 'e.clientUid').onRef('et.uid', '=', 'e.eventTypeUid'),
    )
    .innerJoin('site as s', (j) => j.onRef('s.clientUid', '=', 'e.clientUid').onRef('s.uid', '=', 'e.siteUid'))
    .select([
      'e.uid',
      'e.siteUid',
      's.name as siteName',
      'e.eventTypeUid',
      'e.actionChangeUid as change',
      sql<EventKind>`e.kind`.as('kind'),
    ])
    .select(sql<boolean>`e.live_from is not null`.as('wasDrill'))
    .select(eventName.as('name'))
    .where('e.siteUid', '=', siteUid)
    .where('e.endedAt', 'is', null)
    .executeTakeFirst()
}

/** Locks the site for everything that starts, changes or ends its event. Inserts of rows that refer to it do not wait. */
export function lockSite(tx: Tx, siteUid: SiteUid) {
  return tx
    .selectFrom('site')
    .select(['uid', 'name'])
    .where('uid', '=', siteUid)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** An assignment with which the person manages events at this site, preferably the session's own. */
export async function findManagingAssignment(
  tx: Tx,
  personUid: PersonUid,
  siteUid: SiteUid,
  preferredUid: string | null,
) {
  const { rows } = await sql<{ uid: AssignmentUid }>`
    select a.uid
    from warden_assignment a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    where a.person_uid = ${personUid} and a.site_uid = ${siteUid} and ${assignmentIsInDate}
      and 'Event_Management' = any (r.modules)
    order by a.uid is distinct from ${preferredUid}::uuid, a.uid
    limit 1`.execute(tx)
  return rows[0]?.uid
}

export interface NewEvent {
  clientUid: ClientUid
  siteUid: SiteUid
  eventTypeUid: EventTypeUid
  message: string
  broadcast: boolean
  alert: boolean
  kind: EventKind
  /** Null for a live event. */
  announced: boolean | null
}

/** Inserts an event as of now. The transaction may have begun before the last event ended. Call under the lock of the site. */
export async function insertEvent(tx: Tx, event: NewEvent): Promise<EventUid> {
  const startedAt = sql<Date>`clock_timestamp()`
  const started = { ...event, startedAt, beganAt: sql<Date>`(select clock_timestamp() + ahead from steady_clock)` }
  const { uid } = await tx.insertInto('event').values(started).returning('uid').executeTakeFirstOrThrow()
  return uid
}

export async function setStartedBy(tx: Tx, eventUid: EventUid, signInUid: SignInUid): Promise<void> {
  await tx.updateTable('event').set({ startedBySignInUid: signInUid }).where('uid', '=', eventUid).execute()
}

export async function listEventBuildings(db: Db, eventUid: EventUid) {
  return db
    .selectFrom('eventBuilding as eb')
    .innerJoin('building as b', (j) =>
      j.onRef('b.clientUid', '=', 'eb.clientUid').onRef('b.uid', '=', 'eb.buildingUid'),
    )
    .select(['b.uid', 'b.name'])
    .where('eb.eventUid', '=', eventUid)
    .where('eb.active', '=', true)
    .orderBy('b.name')
    .execute()
}

/** Adds buildings to the event, or adds them again, with what their people do. */
export async function insertEventBuildings(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
  { action, where }: BuildingAction,
): Promise<void> {
  await sql`
    insert into event_building (client_uid, event_uid, building_uid, action, action_where, action_from)
    select client_uid, ${eventUid}, uid, ${action}, ${where}, now() from building where uid = any (${buildingUids}::uuid[])
    on conflict (client_uid, event_uid, building_uid)
    do update set active = true, removed_at = null, added_at = now(), action = excluded.action,
      action_where = excluded.action_where, action_from = excluded.action_from, action_by_person_uid = null,
      action_before = null`.execute(tx)
}

/** Gives an organisation without floor statuses the default ones, because each floor of an event needs one. */
export async function ensureFloorStatuses(tx: Tx, siteUid: SiteUid): Promise<void> {
  const each = (field: keyof (typeof usualFloorStatuses)[number]) => usualFloorStatuses.map((status) => status[field])
  await sql`
    insert into floor_status (client_uid, code, name, colour, display_order, means_clear)
    select st.client_uid, usual.* from site st
    cross join unnest(${each('code')}::text[], ${each('name')}::text[], ${each('colour')}::text[], ${each('displayOrder')}::int[],
      ${each('meansClear')}::boolean[]) usual
    where st.uid = ${siteUid}
      and not exists (select from floor_status s where s.client_uid = st.client_uid and s.action is null)
    on conflict (client_uid, code) do nothing`.execute(tx)
}

/**
 * The status with which a floor begins in the action of its building: the first one in use, or the first one if none is in
 * use. Those of an event in which people leave, if the action has none.
 */
const firstStatusOf = (row: 'f' | 'ef', eventUid: EventUid) => sql`(select s.uid from floor_status s
      join event_building eb on eb.client_uid = s.client_uid and eb.event_uid = ${eventUid}
        and eb.building_uid = ${sql.ref(`${row}.building_uid`)}
      where s.client_uid = ${sql.ref(`${row}.client_uid`)} and (s.action is null or s.action = eb.action)
      order by s.action is null, not s.in_use, s.display_order, s.uid limit 1)`

/** What was seen of a floor before it was set to its first status counts no longer. */
const seenAnew = (from: RawBuilder<Date>) =>
  sql`observed_at = ${from}, observed_session_uid = null, observed_phone_ms = null`

/** Floors begin with the first status. */
export async function insertEventFloors(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
): Promise<void> {
  await sql`
    insert into event_floor (client_uid, event_uid, floor_uid, building_uid, floor_status_uid)
    select f.client_uid, ${eventUid}, f.uid, f.building_uid, ${firstStatusOf('f', eventUid)}
    from floor f
    where f.building_uid = any (${buildingUids}::uuid[]) and f.retired_at is null
    on conflict (client_uid, event_uid, floor_uid)
    do update set floor_status_uid = excluded.floor_status_uid, updated_at = now(), updated_by_person_uid = null,
      ${seenAnew(steadyNow)}`.execute(tx)
}

/** Sets the floors of these buildings of the event back to their first status. Locks them in the order of floor statuses. */
export async function setFloorsBack(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
  countsFrom: Date,
): Promise<void> {
  await sql`
    with held as (
      select client_uid, floor_uid from event_floor
      where event_uid = ${eventUid} and building_uid = any (${buildingUids}::uuid[]) order by floor_uid for no key update
    )
    update event_floor ef
    set floor_status_uid = ${firstStatusOf('ef', eventUid)}, updated_at = now(), updated_by_person_uid = null,
      ${seenAnew(sql`${countsFrom}`)}
    from held where ef.client_uid = held.client_uid and ef.event_uid = ${eventUid} and ef.floor_uid = held.floor_uid`.execute(
    tx,
  )
}

export async function removeEventBuildings(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
): Promise<void> {
  await tx
    .updateTable('eventBuilding')
    .set({ active: false, removedAt: sql`now()` })
    .where('eventUid', '=', eventUid)
    .where('buildingUid', 'in', buildingUids)
    .where('active', '=', true)
    .execute()
}

export async function markEnded(
  tx: Tx,
  eventUid: EventUid,
  by: { personUid: PersonUid; signInUid: SignInUid | null },
): Promise<void> {
  await tx
    .updateTable('event')
    .set({ endedAt: sql`clock_timestamp()`, endedBySignInUid: by.signInUid, endedByPersonUid: by.personUid })
    .where('uid', '=', eventUid)
    .execute()
}

/** The floors of these buildings in the event. */
export async function listEventFloors(
  db: Db,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
): Promise<FloorUid[]> {
  const { rows } = await sql<{ uid: FloorUid }>`
    select floor_uid as uid from event_floor
    where event_uid = ${eventUid} and building_uid = any (${buildingUids}::uuid[]) order by floor_uid`.execute(db)
  return rows.map(({ uid }) => uid)
}
