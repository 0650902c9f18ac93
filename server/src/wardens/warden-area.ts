import { type RawBuilder, sql } from 'kysely'

/** The area of assignment `a` meets a building that is in the event (AMB-095). */
export const areaMeets = (eventUid: unknown): RawBuilder<boolean> => sql`
  exists (
    select from assignment_location l
    left join floor f on f.client_uid = l.client_uid and f.uid = l.floor_uid
    join event_building eb on eb.client_uid = l.client_uid and eb.event_uid = ${eventUid} and eb.active
      and eb.building_uid = coalesce(l.building_uid, f.building_uid)
    where l.client_uid = a.client_uid and l.assignment_uid = a.uid)`

/**
 * Assignment `a` with role `r`, which has a place in the event, belongs to each of its buildings: wardens of the site, and
 * those whose own area is not in it, as of event managers (AMB-095). They are no occupants (AMB-105): no other list
 * accounts for them.
 */
export const isEverywhere = (eventUid: unknown): RawBuilder<boolean> => sql`
  (r.area_domain = 'Site' or not ${areaMeets(eventUid)})`
