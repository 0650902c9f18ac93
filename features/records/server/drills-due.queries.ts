import { sql } from 'kysely'
import { type Action, type ActionGroup, actionCodes, groupOf } from '#kernel/actions.ts'
import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { ofSite, type Reach } from './record-access.service.ts'

/** The actions of a group that event types of the organisation have, in their order. */
export async function listGroups(tx: Tx, { clientUid }: Reach): Promise<ReadonlyMap<ActionGroup, Action[]>> {
  const { rows } = await sql<{ action: Action }>`
    select distinct action from event_type where client_uid = ${clientUid} and active`.execute(tx)
  const used = actionCodes.filter((one) => rows.some(({ action }) => action === one))
  return Map.groupBy(used, (action) => groupOf(action))
}

export interface LastDrill {
  /** What people were to do. Null: drills are not told apart by that. */
  group: ActionGroup | null
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

/** A release ends others and is drilled with them. */
const actionsOf = (group: ActionGroup) => actionCodes.filter((one) => one !== 'release' && groupOf(one) === group)

/** True if people of building `b` did something of group `g` in drill `r`. */
const didSo = sql`case when r.actions is not null then exists (
            select from jsonb_array_elements(r.actions) told
            where told ->> 'action' = any (g.actions) and told -> 'buildings' @> jsonb_build_array(jsonb_build_object('id', b.uid)))
          else 'evacuate' = any (g.actions) end`

/**
 * Each building in use within reach and each of these groups, with the latest drill of every minute of the day, the latest
 * first. A live event counts as a drill if its outcome is Emergency or False alarm.
 */
export async function listLastDrills(
  tx: Tx,
  reach: Reach,
  { siteUid, groups }: { siteUid: SiteUid | null; groups: readonly (ActionGroup | null)[] },
): Promise<LastDrill[]> {
  const lines = groups.map((group) => sql`(${group}::text, ${group && actionsOf(group)}::text[])`)
  const { rows } = await sql<LastDrill>`
    with drilled as materialized (
      -- once: a large record is unpacked anew each time that something is read of it
      select r.building_uids, r.began_at, ${groups.length > 1 ? sql`r.summary -> 'actions'` : sql`null::jsonb`} as actions
      from event_record r
      where r.client_uid = ${reach.clientUid}
        and (r.kind = 'drill' or exists (select from record_entry o where o.client_uid = r.client_uid and o.event_uid = r.event_uid
          and o.kind = 'outcome' and o.body ->> 'outcome' in ('Emergency', 'False alarm')
          and not exists (select from record_entry later where later.client_uid = o.client_uid and later.event_uid = o.event_uid
            and later.kind = 'outcome' and (later.recorded_at, later.uid) > (o.recorded_at, o.uid))))
    )
    select g.name as "group", b.uid as building_uid, b.name, st.name as site_name, st.drill_every_days as every_days, st.drill_shifts,
      to_char(d.at, 'YYYY-MM-DD') as day, d.minute, ((now() at time zone st.timezone)::date - d.at::date) as days_ago
    from building b
    join site st on st.client_uid = b.client_uid and st.uid = b.site_uid and st.retired_at is null
    cross join (values ${sql.join(lines)}) as g (name, actions)
    left join lateral (
      select distinct on (minute) local.at, local.minute
      from drilled r
      cross join lateral (select r.began_at at time zone st.timezone as at) began
      cross join lateral (select began.at, (extract(hour from began.at) * 60 + extract(minute from began.at))::int as minute) local
      where b.uid = any (r.building_uids) and (g.name is null or ${didSo})
      order by minute, local.at desc
    ) d on true
    where b.client_uid = ${reach.clientUid} and ${ofSite(reach, sql`b.site_uid`)} and b.retired_at is null
      and (${siteUid}::uuid is null or b.site_uid = ${siteUid})
      and (${reach.isSite} or b.uid = any (${reach.buildingUids}::uuid[]))
    order by b.name, b.uid, g.name, d.at desc nulls last`.execute(tx)
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
