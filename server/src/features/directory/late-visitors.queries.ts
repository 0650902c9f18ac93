import { sql } from 'kysely'
import type { Tx } from '../../platform/db/db.ts'

export interface LateVisitor {
  personUid: string
  eventUid: string
  floorUid: string | null
}

/**
 * AMB-105: visitors of today join the event that already runs in their building at this site, as unknown, and are
 * counted; with the building where their floor is newer than the event, which no list then knows. Call under
 * `holdEventsOf`: nobody joins an event that is just ending.
 */
export async function addLateVisitors(tx: Tx, clientUid: string, siteUid: string): Promise<LateVisitor[]> {
  const { rows } = await sql<LateVisitor>`
    with here as (
      select eb.client_uid, eb.event_uid, b.uid as building_uid, (now() at time zone st.timezone)::date as today
      from event_building eb
      join event e on e.client_uid = eb.client_uid and e.uid = eb.event_uid and e.ended_at is null
      join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
      join site st on st.client_uid = b.client_uid and st.uid = b.site_uid
      where eb.client_uid = ${clientUid} and e.site_uid = ${siteUid} and eb.active
    ), joined as (
      insert into evacuee (client_uid, event_uid, person_uid, sort_name, visitor,
        home_building_uid, home_floor_uid, building_uid, floor_uid)
      select p.client_uid, h.event_uid, p.uid, lower(p.first_name || ' ' || p.last_name), true,
        h.building_uid, ef.floor_uid, h.building_uid, ef.floor_uid
      from person p
      left join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
      join here h on h.client_uid = p.client_uid and h.building_uid = coalesce(f.building_uid, p.visiting_building_uid)
      left join event_floor ef on ef.client_uid = h.client_uid and ef.event_uid = h.event_uid and ef.floor_uid = f.uid
      where p.client_uid = ${clientUid} and p.kind = 'visitor' and p.active and p.visit_date = h.today
      on conflict (client_uid, event_uid, person_uid) do nothing
      returning client_uid, event_uid, person_uid, building_uid, floor_uid, place_uid
    ), counted as (
      insert into tally (client_uid, event_uid, place_uid, building_uid, unknown)
      select client_uid, event_uid, place_uid, building_uid, count(*)
      from joined group by client_uid, event_uid, place_uid, building_uid order by place_uid
      on conflict (client_uid, event_uid, place_uid) do update set unknown = tally.unknown + excluded.unknown
    )
    select person_uid, event_uid, floor_uid from joined`.execute(tx)
  return rows
}
