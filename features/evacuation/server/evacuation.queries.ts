import { type RawBuilder, sql } from 'kysely'
import type { Action, StatusAction } from '#kernel/actions.ts'
import type { BuildingUid, EvacueeUid, EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import { type Db, prepared, type Tx } from '#server/platform/db/db.ts'
import { isIndexed, isNamed, namePatterns } from '#server/platform/db/name-search.ts'
import { eventName } from '#server/wardens/event-name.ts'
import type { Window } from './people-page.service.ts'
import { type EventPlace, peopleAt } from './tally.queries.ts'

/**
 * The floors of the event's buildings with their status, ordered by building, level and name. A building without floors
 * has one row without a floor. Floors imported after the event began are not part of it.
 */
export async function listEventFloors(db: Db, eventUid: EventUid) {
  return db
    .selectFrom('eventBuilding as eb')
    .innerJoin('building as b', (j) =>
      j.onRef('b.clientUid', '=', 'eb.clientUid').onRef('b.uid', '=', 'eb.buildingUid'),
    )
    .leftJoin('eventFloor as ef', (j) =>
      j
        .onRef('ef.clientUid', '=', 'eb.clientUid')
        .onRef('ef.eventUid', '=', 'eb.eventUid')
        .onRef('ef.buildingUid', '=', 'eb.buildingUid'),
    )
    .leftJoin('floor as f', (j) => j.onRef('f.clientUid', '=', 'ef.clientUid').onRef('f.uid', '=', 'ef.floorUid'))
    .select([
      'b.uid as buildingUid',
      'b.name as buildingName',
      'f.uid as floorUid',
      'f.name as floorName',
      'ef.floorStatusUid',
    ])
    .select([sql<Action>`eb.action`.as('action'), sql<Action | null>`eb.action_before`.as('actionBefore')])
    .where('eb.eventUid', '=', eventUid)
    .where('eb.active', '=', true)
    .orderBy('b.name')
    .orderBy('f.level')
    .orderBy('f.name')
    .orderBy('f.uid')
    .execute()
}
/** The floor with its building. Undefined if it is not in the event. */
export async function findEventFloor(db: Db, eventUid: EventUid, floorUid: FloorUid) {
  return db
    .selectFrom('eventFloor as ef')
    .innerJoin('eventBuilding as eb', (j) =>
      j
        .onRef('eb.clientUid', '=', 'ef.clientUid')
        .onRef('eb.eventUid', '=', 'ef.eventUid')
        .onRef('eb.buildingUid', '=', 'ef.buildingUid'),
    )
    .select(['ef.floorUid', 'ef.buildingUid'])
    .where('ef.eventUid', '=', eventUid)
    .where('ef.floorUid', '=', floorUid)
    .where('eb.active', '=', true)
    .executeTakeFirst()
}

export type EventFloorRow = Awaited<ReturnType<typeof listEventFloors>>[number]

export function listFloorStatuses(db: Db) {
  return db
    .selectFrom('floorStatus')
    .select([
      'uid',
      'name',
      'colour',
      'displayOrder',
      'inUse',
      'meansClear',
      sql<StatusAction | null>`action`.as('action'),
    ])
    .orderBy('displayOrder')
    .orderBy('uid')
    .execute()
}

export function findEventName(db: Db, eventUid: EventUid) {
  return db
    .selectFrom('event as e')
    .innerJoin('eventType as et', (j) =>
      j.onRef('et.clientUid', '=', 'e.clientUid').onRef('et.uid', '=', 'e.eventTypeUid'),
    )
    .select(['e.uid', eventName.as('name')])
    .where('e.uid', '=', eventUid)
    .executeTakeFirstOrThrow()
}

export interface OccupantRow {
  uid: EvacueeUid
  personUid: PersonUid
  name: string
  isHere: boolean
  buildingName: string
  floorName: string | null
  floorUid: FloorUid | null
  mobile: string | null
  smsRefused: boolean
  status: SafetyStatus
  /** The person reported the status by text. */
  bySms: boolean
  /** By their own page. */
  byPage: boolean
  /** What the drill knew, until the person is recorded again. */
  action: Action
  actionBefore: Action | null
  knownBefore: { status: SafetyStatus; at: string } | null
  isOfDrill: boolean
  onFloor: boolean
  refused: boolean
  refusalDetail: string
  visitor: boolean
  peepSummary: string | null
  disability: string | null
  assistance: string | null
  other: string | null
  unread: boolean
  noReply: boolean
}

/**
 * `offset 0` looks up each row by its index. Without it a planner that misjudges the tables reads all messages of the
 * organisation for a page of 20, while a broadcast writes one to everyone.
 */
export const occupantColumns = sql`
  eb.action, eb.action_before,
  e.uid, e.person_uid, p.name, b.name as building_name, f.name as floor_name, e.floor_uid,
  p.mobile, exists (select from sms_refusal x where x.mobile = p.mobile offset 0) as sms_refused,
  e.status, coalesce(e.text_status_at = e.status_at, false) as by_sms,
  coalesce(e.self_status_at = e.status_at, false) as by_page,
  case when e.status_at is null and e.drill_status is not null
    then jsonb_build_object('status', e.drill_status, 'at', e.drill_status_at) end as known_before,
  -- set back by a drill that became live, else by a change of the action
  exists (select from event ev where ev.client_uid = e.client_uid and ev.uid = e.event_uid
    and date_trunc('milliseconds', ev.counts_from) = e.set_back_at) as is_of_drill, e.on_floor, e.refused, e.refusal_detail, e.visitor,
  pe.summary as peep_summary, pe.disability, pe.assistance, pe.other,
  exists (select from message m where m.client_uid = e.client_uid and m.event_uid = e.event_uid and m.evacuee_uid = e.uid
    and m.direction = 'in' and m.read_at is null offset 0) as unread,
  coalesce((select m.direction = 'out' from message m where m.client_uid = e.client_uid and m.evacuee_uid = e.uid
    order by m.seq desc limit 1), false) as no_reply`
export const occupantJoins = sql`
  join event_building eb on eb.client_uid = e.client_uid and eb.event_uid = e.event_uid and eb.building_uid = e.building_uid
  join person p on p.client_uid = e.client_uid and p.uid = e.person_uid
  join building b on b.client_uid = e.client_uid and b.uid = e.building_uid
  left join floor f on f.client_uid = e.client_uid and f.uid = e.floor_uid
  left join peep pe on pe.client_uid = e.client_uid and pe.person_uid = e.person_uid and pe.active`

export type Scope = Omit<EventPlace, 'placeUid'>

/** Position of a row: people of the selected floor come first, each part ordered by name. */
export interface OccupantKey {
  isHere: boolean
  uid: string
}

/** Name and uid of the row after which a page begins. The name is the one that the person had when the event began. */
export const nameOf = (clientUid: string, uid: string) =>
  sql`(select sort_name from evacuee where client_uid = ${clientUid} and uid = ${uid}::uuid), ${uid}::uuid`

/** A page of a floor by name, plus one row if another page follows. Walks the index, so the cost does not grow with the floor. */
export async function listFloorPage(
  db: Db,
  { clientUid, eventUid, floorUid }: Scope & { floorUid: FloorUid },
  { after, offset, limit }: Window<OccupantKey>,
): Promise<OccupantRow[]> {
  const { rows } = await sql<OccupantRow>`
    select ${occupantColumns}, true as is_here
    from (
      select * from evacuee
      where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = ${floorUid} and active
        ${after ? sql`and (sort_name, uid) > (${nameOf(clientUid, after.uid)})` : sql``}
      order by sort_name, uid
      limit ${limit} offset ${offset}
    ) e ${occupantJoins}
    order by e.sort_name, e.uid`.execute(db)
  return rows
}

/**
 * The event's rows `e` of the given people (a from-item with one column, the person's uid). A unique index makes
 * `limit 1` redundant, but it forces one look-up per person. Without it a planner that misjudges the size of the event
 * reads all of its rows.
 */
export const eachInEvent = (clientUid: string, eventUid: string, people: RawBuilder<unknown>) => sql`
  ${people} as wanted (uid) cross join lateral (
    select * from evacuee
    where client_uid = ${clientUid} and event_uid = ${eventUid} and person_uid = wanted.uid
    limit 1
  ) e`

/** Rows of the version before have no folded name. */
export const nameInEvent = sql`coalesce(search_name, sort_name)`

/**
 * People of the building in whose name each word of the text stands anywhere, those of the selected floor first. Each row
 * has the count of all.
 */
export async function searchBuildingPage(
  db: Db,
  search: Scope & { buildingUid: BuildingUid; floorUid: FloorUid | null; text: string },
  { after, offset, limit }: Window<OccupantKey>,
): Promise<(OccupantRow & { total: number })[]> {
  const { clientUid, eventUid, buildingUid, floorUid, text } = search
  const names = namePatterns(text)
  const byIndex = names !== null && isIndexed(names)
  const { rows } = await sql<OccupantRow & { total: number }>`
    with found as (
      select e.*, place_uid is not distinct from ${floorUid}::uuid as is_here
      from ${byIndex ? eachInEvent(clientUid, eventUid, sql`people_named(${clientUid}, ${names}::text[], null)`) : sql`evacuee e`}
      where client_uid = ${clientUid} and event_uid = ${eventUid} and active
        and place_uid = any (array(select uid from floor where client_uid = ${clientUid} and building_uid = ${buildingUid}) || ${buildingUid}::uuid)
        ${byIndex ? sql`` : sql`and ${isNamed(nameInEvent, text)}`}
    )
    select ${occupantColumns}, e.is_here, (select count(*) from found) as total
    from (
      select * from found
      ${after ? sql`where (not is_here, sort_name, uid) > (${!after.isHere}, ${nameOf(clientUid, after.uid)})` : sql``}
      order by not is_here, sort_name, uid
      limit ${limit} offset ${offset}
    ) e ${occupantJoins}
    order by not e.is_here, e.sort_name, e.uid`.execute(db)
  return rows
}

export interface PeepRow {
  personUid: PersonUid
  name: string
  status: SafetyStatus
  onFloor: boolean
  disability: string
  assistance: string
  other: string
}

/**
 * The event's rows of people at the place with an active PEEP. Reads each PEEP's row, or all rows of the place if the
 * client has more PEEPs than the place has people. Left to itself, the planner read 5,000 rows to find five.
 */
export const plannedAt = (place: EventPlace) => {
  const { clientUid, eventUid, placeUid } = place
  const plans = sql`(select person_uid from peep where client_uid = ${clientUid} and active)`
  const isFew = sql`(select count(*) from ${plans} few) <= ${peopleAt(place)}`
  return sql`(
    select e.* from ${eachInEvent(clientUid, eventUid, plans)}
    where ${isFew} and e.place_uid = ${placeUid} and e.active
    union all
    select e.* from evacuee e
    where not ${isFew} and e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.place_uid = ${placeUid} and e.active
      and e.person_uid in ${plans}
  )`
}

/** People on the floor with an active PEEP, by name. */
export async function listFloorPeeps(db: Db, floor: EventPlace): Promise<PeepRow[]> {
  const { rows } = await sql<PeepRow>`${prepared('floor_peeps')}
    select e.person_uid, p.name, e.status, e.on_floor, pe.disability, pe.assistance, pe.other
    from ${plannedAt(floor)} e
    join peep pe on pe.client_uid = e.client_uid and pe.person_uid = e.person_uid and pe.active
    join person p on p.client_uid = e.client_uid and p.uid = e.person_uid
    order by e.sort_name, e.uid`.execute(db)
  return rows
}

/** Stores which place this session shows. */
export async function selectPlace(
  tx: Tx,
  sessionUid: string,
  place: { buildingUid: BuildingUid; floorUid: FloorUid | null },
): Promise<void> {
  await tx
    .updateTable('session')
    .set({ selectedBuildingUid: place.buildingUid, selectedFloorUid: place.floorUid })
    .where('uid', '=', sessionUid)
    .execute()
}
