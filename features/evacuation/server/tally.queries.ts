import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import { nobodyCounted, type SafetyStatus, type StatusCounts, safetyStatuses } from '#kernel/vocabulary.ts'
import { type Db, prepared, type Tx } from '#server/platform/db/db.ts'

/** The stored counts of one place of an event. */
export interface Tally extends StatusCounts {
  refusals: number
}

/** A floor, or a building for its people without a floor. */
export type PlaceUid = FloorUid | BuildingUid

/** Place, safe, unknown, danger, refusals: by how much a change moved the counts, as the journal tells it. */
export type TallyLine = [PlaceUid, number, number, number, number]

interface Told {
  line: TallyLine
}
const linesOf = (rows: readonly Told[]): TallyLine[] => rows.map(({ line }) => line)

export interface EventPlace {
  clientUid: ClientUid
  eventUid: EventUid
  placeUid: PlaceUid
}

/** How many people a place has, as a scalar. */
export const peopleAt = ({ clientUid, eventUid, placeUid }: EventPlace) => sql`
  (select ${sql.raw(safetyStatuses.join(' + '))} from tally
    where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = ${placeUid})`

/** A condition: someone at the place is not safe, or refused to leave. */
export const hasUnsettled = (
  { clientUid, eventUid }: Omit<EventPlace, 'placeUid'>,
  placeUid: RawBuilder<unknown>,
) => sql`
  (select unknown + danger + refusals > 0 from tally
    where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = ${placeUid})`

/** Some places of an event. */
export interface Places {
  clientUid: ClientUid
  eventUid: EventUid
  placeUids: readonly PlaceUid[]
}

interface Counted {
  column: string
  /** The condition for evacuees that the column counts. `row` is the prefix of their columns. */
  counts: (row: string) => string
}
const statuses: readonly Counted[] = safetyStatuses.map((status) => ({
  column: status,
  counts: (row) => `${row}status = '${status}'`,
}))
const refusals: Counted = { column: 'refusals', counts: (row) => `${row}refused` }
const all = [...statuses, refusals]

const listOf = (some: readonly Counted[], text: (one: Counted) => string) => some.map(text).join(', ')
const columns = listOf(all, ({ column }) => column)
const countedFrom = (some: readonly Counted[]) =>
  listOf(some, ({ column, counts }) => `count(*) filter (where ${counts('')}) as ${column}`)
const sums = sql.raw(listOf(statuses, ({ column }) => `coalesce(sum(t.${column}), 0)::int as ${column}`))

/** Columns that count rows by their `status`. */
export const countsByStatus = sql.raw(countedFrom(statuses))

export async function findTally(db: Db, eventUid: EventUid, placeUid: PlaceUid): Promise<Tally | undefined> {
  const { rows } = await sql<Tally>`${prepared('find_tally')}
    select ${sql.raw(columns)} from tally where event_uid = ${eventUid} and place_uid = ${placeUid}`.execute(db)
  return rows[0]
}

/** The tallies of all places of the event. */
export async function listTallies(db: Db, clientUid: ClientUid, eventUid: EventUid) {
  const { rows } = await sql<Tally & { placeUid: PlaceUid }>`
    select place_uid, ${sql.raw(columns)} from tally
    where client_uid = ${clientUid} and event_uid = ${eventUid}`.execute(db)
  return rows
}

/** The tallies of the event as a from-item `t`: place_uid, building_uid, and a column for each count. */
export const eventTallies = ({ clientUid, eventUid }: Omit<Places, 'placeUids'>) => sql`
  (select place_uid, building_uid, ${sql.raw(columns)} from tally
    where client_uid = ${clientUid} and event_uid = ${eventUid}) t`

/** The sum of the tallies of several places. */
export async function sumTallies(db: Db, { clientUid, eventUid, placeUids }: Places): Promise<StatusCounts> {
  const { rows } = await sql<StatusCounts>`
    select ${sums} from tally t
    where t.client_uid = ${clientUid} and t.event_uid = ${eventUid} and t.place_uid = any (${placeUids}::uuid[])`.execute(
    db,
  )
  return rows[0] ?? nobodyCounted
}

/** The places where someone has the status, or where anyone is. A from-item with the column place_uid. */
export function peopledPlaces({ clientUid, eventUid, placeUids }: Places, status: SafetyStatus | null) {
  const people = status ? sql.ref(status) : sql.raw(safetyStatuses.join(' + '))
  return sql`(
    select place_uid from tally
    where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = any (${placeUids}::uuid[])
      and ${people} > 0)`
}

export interface BuildingTally extends StatusCounts {
  siteUid: SiteUid
  siteName: string
  buildingUid: BuildingUid
  buildingName: string
  /** Whole seconds since the building joined the event. */
  duration: number
}

/** The event's buildings by name, each with the sum of its places. One statement, so all counts are from one moment. */
export async function listBuildingTallies(db: Db, clientUid: ClientUid, eventUid: EventUid): Promise<BuildingTally[]> {
  const { rows } = await sql<BuildingTally>`
    select st.uid as site_uid, st.name as site_name, b.uid as building_uid, b.name as building_name, ${sums},
      greatest(0, floor(extract(epoch from now() - eb.added_at)))::int as duration
    from event_building eb
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
    left join tally t on t.client_uid = eb.client_uid and t.event_uid = eb.event_uid and t.building_uid = eb.building_uid
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
    group by st.uid, st.name, b.uid, b.name, eb.added_at
    order by b.name, b.uid`.execute(db)
  return rows
}

/*
 * Each fragment below is part of the `with` of a statement that changes evacuees, so both change together. It locks the
 * tallies before it counts, always in the same order, so opposite moves cannot deadlock. A statement that waited counts
 * on the winner's row. An update without the lock computes on the row as of its own beginning and may violate the
 * constraint against negative counts.
 */

/** A row of changes as `TallyLine`. */
const lineOf = (row: string, change = ({ column }: Counted) => `${row}.${column}`) =>
  `jsonb_build_array(${row}.place_uid, ${listOf(all, change)}) as line`

const applyChange = `
    tallied as (
      select y.* from tally y join change using (client_uid, event_uid, place_uid)
      order by y.place_uid for no key update of y
    ), counted as (
      update tally y set ${listOf(all, ({ column }) => `${column} = n.${column} + c.${column}`)}
      from change c join tallied n using (client_uid, event_uid, place_uid)
      where y.client_uid = c.client_uid and y.event_uid = c.event_uid and y.place_uid = c.place_uid
    )`

/** What an entry adds about a person without a floor. `row` is the prefix of floor_uid and building_uid. */
export const inBuilding = (row: '' | 'new_') =>
  sql.raw(`case when ${row}floor_uid is null then jsonb_build_object('building_uid', ${row}building_uid) else '{}' end`)

/**
 * Moves each evacuee of the part `accepted` from (place_uid, status, refused) to (to_place_uid, to_status, to_refused).
 * `accepted` also has client_uid and event_uid.
 */
export const moveInTallies = sql.raw(`
    moved as (
      select * from accepted where place_uid <> to_place_uid or status <> to_status or refused <> to_refused
    ), change as (
      select client_uid, event_uid, place_uid, ${listOf(all, ({ column, counts }) => `coalesce(sum(sign) filter (where ${counts('')}), 0) as ${column}`)}
      from (
        select client_uid, event_uid, to_place_uid as place_uid, to_status as status, to_refused as refused, 1 as sign from moved
        union all
        select client_uid, event_uid, place_uid, status, refused, -1 from moved
      ) m
      group by client_uid, event_uid, place_uid
    ), ${applyChange}`)

const changeBy = (sign: '' | '-', part: string): RawBuilder<unknown> =>
  sql.raw(`
    change as (
      select client_uid, event_uid, place_uid, ${listOf(all, ({ column, counts }) => `${sign}count(*) filter (where ${counts('')}) as ${column}`)}
      from ${part} group by client_uid, event_uid, place_uid
    ), ${applyChange}`)

/** Runs a statement with one of the parts below. Returns by how much it changed the counts of each place. */
export async function changeTallies(tx: Tx, parts: RawBuilder<unknown>): Promise<TallyLine[]> {
  const { rows } = await sql<Told>`${parts}
    select ${sql.raw(lineOf('c'))} from change c join tallied using (client_uid, event_uid, place_uid)`.execute(tx)
  return linesOf(rows)
}

/** Adds the evacuees of another part (client_uid, event_uid, place_uid, status, refused) to the tallies of their places. */
export const addToTallies = (part: string) => changeBy('', part)
export const takeFromTallies = (part: string) => changeBy('-', part)

/** Counts newly added buildings for the first time. No one can record there yet, so no lock is needed. A building that has left before counts zero. */
export async function countBuildings(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
): Promise<TallyLine[]> {
  const { rows } = await sql<Told>`
    with place as (
      select client_uid, uid as place_uid, building_uid from floor where building_uid = any (${buildingUids}::uuid[])
      union all
      select client_uid, uid, uid from building where uid = any (${buildingUids}::uuid[])
    ), counted as (
      select place_uid, ${sql.raw(countedFrom(all))}
      from evacuee where event_uid = ${eventUid} and building_uid = any (${buildingUids}::uuid[]) and active
      group by place_uid
    )
    insert into tally (client_uid, event_uid, place_uid, building_uid, ${sql.raw(columns)})
    select p.client_uid, ${eventUid}, p.place_uid, p.building_uid, ${sql.raw(listOf(all, ({ column }) => `coalesce(c.${column}, 0)`))}
    from place p left join counted c using (place_uid)
    on conflict (client_uid, event_uid, place_uid) do update
      set ${sql.raw(listOf(all, ({ column }) => `${column} = excluded.${column}`))}
    returning ${sql.raw(lineOf('tally'))}`.execute(tx)
  return linesOf(rows)
}

/** Sets the tallies of buildings that have left the event to zero. */
export async function clearBuildings(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
): Promise<TallyLine[]> {
  const { rows } = await sql<Told>`
    with held as (
      select * from tally where event_uid = ${eventUid} and building_uid = any (${buildingUids}::uuid[])
      order by place_uid for no key update
    )
    update tally t set ${sql.raw(listOf(all, ({ column }) => `${column} = 0`))}
    from held h where t.client_uid = h.client_uid and t.event_uid = ${eventUid} and t.place_uid = h.place_uid
    returning ${sql.raw(lineOf('h', ({ column }) => `-h.${column}`))}`.execute(tx)
  return linesOf(rows)
}

/** Everyone is unknown, no one refuses. Call under the lock of the event's people. */
export async function setTalliesBack(tx: Tx, eventUid: EventUid): Promise<TallyLine[]> {
  const others = statuses.filter(({ column }) => column !== 'unknown')
  const { rows } = await sql<Told>`
    with held as (
      select * from tally where event_uid = ${eventUid} order by place_uid for no key update
    )
    update tally t set unknown = ${sql.raw(statuses.map(({ column }) => `t.${column}`).join(' + '))}, refusals = 0,
      ${sql.raw(listOf(others, ({ column }) => `${column} = 0`))}
    from held where t.client_uid = held.client_uid and t.event_uid = ${eventUid} and t.place_uid = held.place_uid
    returning ${sql.raw(lineOf('t', ({ column }) => `t.${column} - held.${column}`))}`.execute(tx)
  return linesOf(rows)
}
