import { sql } from 'kysely'
import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { ofSite, type Reach } from './record-access.service.ts'

export interface LastDrill {
  buildingUid: BuildingUid
  name: string
  siteName: string
  everyDays: number
  drillShifts: string
  /** Day, minute of the day and age in days of a drill, all at the site. Null: the building never had one. */
  day: string | null
  minute: number | null
  daysAgo: number | null
}

/**
 * Each building in use within reach, with the latest drill of every minute of the day, the latest first. A live
 * event counts as a drill if its outcome is Emergency or False alarm.
 */
export async function listLastDrills(tx: Tx, reach: Reach, siteUid: SiteUid | null): Promise<LastDrill[]> {
  const { rows } = await sql<LastDrill>`
    select b.uid as building_uid, b.name, st.name as site_name, st.drill_every_days as every_days, st.drill_shifts,
      to_char(d.at, 'YYYY-MM-DD') as day, d.minute, ((now() at time zone st.timezone)::date - d.at::date) as days_ago
    from building b
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid and st.retired_at is null
    left join lateral (
      select distinct on (minute) local.at, local.minute
      from event_record r
      cross join lateral (select r.began_at at time zone st.timezone as at) began
      cross join lateral (select began.at, (extract(hour from began.at) * 60 + extract(minute from began.at))::int as minute) local
      where r.client_uid = b.client_uid and b.uid = any (r.building_uids)
        and (r.kind = 'drill' or exists (select from record_entry o where o.client_uid = r.client_uid and o.event_uid = r.event_uid
          and o.kind = 'outcome' and o.body ->> 'outcome' in ('Emergency', 'False alarm')
          and not exists (select from record_entry later where later.client_uid = o.client_uid and later.event_uid = o.event_uid
            and later.kind = 'outcome' and (later.recorded_at, later.uid) > (o.recorded_at, o.uid))))
      order by minute, local.at desc
    ) d on true
    where b.client_uid = ${reach.clientUid} and ${ofSite(reach, sql`b.site_uid`)} and b.retired_at is null
      and (${siteUid}::uuid is null or b.site_uid = ${siteUid})
      and (${reach.isSite} or b.uid = any (${reach.buildingUids}::uuid[]))
    order by b.name, b.uid, d.at desc nulls last`.execute(tx)
  return rows
}

/** Drills of the last 12 months within reach, and how many of them people were not told of before. */
export async function countUnannounced(tx: Tx, reach: Reach, siteUid: SiteUid | null) {
  const { rows } = await sql<{ drills: number; unannounced: number }>`
    select count(*)::int as drills, (count(*) filter (where summary ->> 'announced' = 'false'))::int as unannounced
    from event_record r
    where r.client_uid = ${reach.clientUid} and ${ofSite(reach, sql`r.site_uid`)} and r.kind = 'drill' and r.summary is not null
      and r.began_at > now() - interval '12 months' and (${siteUid}::uuid is null or r.site_uid = ${siteUid})
      and (${reach.isSite} or r.building_uids && ${reach.buildingUids}::uuid[])`.execute(tx)
  return rows[0] ?? { drills: 0, unannounced: 0 }
}
