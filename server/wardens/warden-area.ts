import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, BuildingUid, FloorUid } from '#kernel/ids.ts'
import { type Db, prepared } from '../platform/db/db.ts'

/** The places of all areas: a floor with its building, or a whole building. A from-item. */
export const areaPlaces = sql`(
    select al.client_uid, al.assignment_uid, al.floor_uid, fl.name as floor_name, fl.level,
      al.building_uid as whole_building_uid, coalesce(al.building_uid, fl.building_uid) as building_uid
    from assignment_location al
    left join floor fl on fl.client_uid = al.client_uid and fl.uid = al.floor_uid
  )`

/** An assignment, by columns or values. */
interface Whose {
  clientUid: unknown
  uid: unknown
}
const ofAssignment: Whose = { clientUid: sql`a.client_uid`, uid: sql`a.uid` }

/** True if the area of assignment `a` has a place `l` that meets the condition. */
export const areaHas = (holds: RawBuilder<unknown>, { clientUid, uid } = ofAssignment): RawBuilder<boolean> => sql`
  exists (select from ${areaPlaces} l where l.client_uid = ${clientUid} and l.assignment_uid = ${uid} and ${holds})`

/** True if the place is in the area of assignment `a`: one of its floors, or in one of its whole buildings. */
export const areaCovers = (place: { floorUid: RawBuilder<unknown>; buildingUid: RawBuilder<unknown> }, whose?: Whose) =>
  areaHas(sql`(l.floor_uid = ${place.floorUid} or l.whole_building_uid = ${place.buildingUid})`, whose)

/** True if the area of assignment `a` meets a building of the event. */
export const areaMeets = (eventUid: unknown): RawBuilder<boolean> =>
  areaHas(sql`exists (select from event_building eb where eb.client_uid = l.client_uid and eb.event_uid = ${eventUid}
    and eb.active and eb.building_uid = l.building_uid)`)

/**
 * True if assignment `a` with role `r` belongs to the event: its area meets the event, or it is of a site warden or an event manager.
 * Who does nothing but read records takes part in no event.
 */
export const hasPlaceWhere = (meets: RawBuilder<boolean>): RawBuilder<boolean> => sql`
  (r.modules <> array['Event_Records'] and (r.area_domain = 'Site' or 'Event_Management' = any (r.modules) or ${meets}))`

/**
 * True if assignment `a` with role `r`, which has a place in the event, belongs to each of its buildings: site wardens,
 * and wardens whose own area is not in the event, such as event managers. They are not occupants,
 * so no other list accounts for them.
 */
export const isEverywhere = (eventUid: unknown): RawBuilder<boolean> => sql`
  (r.area_domain = 'Site' or not ${areaMeets(eventUid)})`

const placeName = sql`case when l.floor_uid is null then b.name else b.name || ' - ' || l.floor_name end`
const inOrder = sql`order by b.name, l.level, l.floor_name`

/**
 * The row `area` of assignment `a`, ordered by building, level and name: `places` with id and name, `names`, and
 * `building_uids`. Each is null for an empty area. `more` are further columns over its places `l`.
 */
export const areaRow = (more = sql``) => sql`
  lateral (
    select jsonb_agg(jsonb_build_object('id', coalesce(l.floor_uid, l.building_uid), 'name', ${placeName}) ${inOrder}) as places,
      array_agg(${placeName} ${inOrder}) as names, array_agg(l.building_uid) as building_uids ${more}
    from ${areaPlaces} l
    join building b on b.client_uid = l.client_uid and b.uid = l.building_uid
    where l.client_uid = a.client_uid and l.assignment_uid = a.uid
  ) area`

/** The areas in lists of wardens: the site `st` for site wardens, else the places of `areaRow`. */
export const shownAreas = sql`
  case when r.area_domain = 'Site' then jsonb_build_array(jsonb_build_object('id', st.uid, 'name', st.name))
    else coalesce(area.places, '[]') end`

interface AreaPlace {
  floorUid: FloorUid | null
  /** The building, if the area has all of it. */
  buildingUid: BuildingUid | null
}

export async function listAreaPlaces(db: Db, assignmentUid: AssignmentUid): Promise<AreaPlace[]> {
  const { rows } = await sql<AreaPlace>`${prepared('list_area_places')}
    select building_uid, floor_uid from assignment_location where assignment_uid = ${assignmentUid}`.execute(db)
  return rows
}

/** `areaCovers` for rows that have been read. */
export const isCovered = (place: { floorUid: FloorUid | null; buildingUid: BuildingUid }, area: readonly AreaPlace[]) =>
  area.some((at) => at.buildingUid === place.buildingUid || (place.floorUid !== null && at.floorUid === place.floorUid))
