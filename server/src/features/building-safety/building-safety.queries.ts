import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'

export interface BuildingRow {
  siteUid: string
  siteName: string
  buildingUid: string
  buildingName: string
  safe: number
  unknown: number
  danger: number
  /** Whole seconds since the building joined the event. */
  duration: number
}

/** The event's buildings with the sums of their places' tallies; one statement, so all counts are of one moment. */
export async function listBuildingTallies(db: Db, clientUid: string, eventUid: string): Promise<BuildingRow[]> {
  const { rows } = await sql<BuildingRow>`
    select st.uid as site_uid, st.name as site_name, b.uid as building_uid, b.name as building_name,
      coalesce(sum(t.safe), 0)::int as safe, coalesce(sum(t.unknown), 0)::int as unknown,
      coalesce(sum(t.danger), 0)::int as danger,
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
