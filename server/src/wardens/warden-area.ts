import { type RawBuilder, sql } from 'kysely'

/** True if the area of assignment `a` includes a building of the event (AMB-095). */
export const areaMeets = (eventUid: unknown): RawBuilder<boolean> => sql`
  exists (
    select from assignment_location l
    left join floor f on f.client_uid = l.client_uid and f.uid = l.floor_uid
    join event_building eb on eb.client_uid = l.client_uid and eb.event_uid = ${eventUid} and eb.active
      and eb.building_uid = coalesce(l.building_uid, f.building_uid)
    where l.client_uid = a.client_uid and l.assignment_uid = a.uid)`

/**
 * True if assignment `a` with role `r`, which has a place in the event, belongs to each of its buildings: site wardens,
 * and wardens whose own area is not in the event, such as event managers (AMB-095). They are not occupants (AMB-105),
 * so no other list accounts for them.
 */
export const isEverywhere = (eventUid: unknown): RawBuilder<boolean> => sql`
  (r.area_domain = 'Site' or not ${areaMeets(eventUid)})`
