import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { mayAlarm } from '#server/realtime/feed/feed.queries.ts'
import { areaCovers, areaHas } from '#server/wardens/warden-area.ts'

/** Whom alarms are for. */
export interface Listener {
  clientUid: string
  eventUid: string
  personUid: string
  assignmentUid: string
  /** Alarms of the whole event. */
  isManager: boolean
}

export interface Watch {
  /** The position of this moment: everything committed is in it, unless `isVague`. */
  cursor: string
  /** More transactions were open than a position names: it ends below the oldest of them. */
  isVague: boolean
  /** The floors of the area. Null if it has a whole building, because people may be on none of its floors. */
  floors: FloorUid[] | null
}

const ofEvent = ({ clientUid, eventUid }: Listener) =>
  sql`eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active`
const assignmentOf = ({ clientUid, assignmentUid }: Listener) => ({ clientUid, uid: assignmentUid })
const inArea = (listener: Listener, place: Parameters<typeof areaCovers>[0]) =>
  listener.isManager ? sql`true` : areaCovers(place, assignmentOf(listener))

/** Open transactions that a position names at most. */
const mostOpen = 100

/** Entries of the journal that were committed at the position. */
function isIn(position: string): RawBuilder<boolean> {
  const [newest = '', open = ''] = position.split(':')
  const openIds = open ? open.split(',') : []
  return sql`(xid <= ${newest}::xid8 and xid <> all (${openIds}::text[]::xid8[]))`
}

/** No entry below this id came after the position. */
const lowestAfter = (position: string) => {
  const [newest = '', open] = position.split(':')
  return String([BigInt(newest) + 1n, ...(open?.split(',').map(BigInt) ?? [])].reduce((a, b) => (a < b ? a : b)))
}

export async function findWatch(db: Db, listener: Listener): Promise<Watch> {
  const wholeBuilding = areaHas(
    sql`exists (select from event_building eb where ${ofEvent(listener)} and eb.building_uid = l.whole_building_uid)`,
    assignmentOf(listener),
  )
  const { rows } = await sql<Watch>`
    with open as materialized (
      select xid from pg_snapshot_xip(pg_current_snapshot()) as open (xid)
    ), named as materialized (
      -- those of other databases never write here: they are left out where all would be too many
      select xid from open
      where (select count(*) from open) <= ${mostOpen}
        or not exists (select from pg_stat_activity a where a.backend_xid = open.xid::xid and a.datname <> current_database())
          and not exists (select from pg_prepared_xacts p where p.transaction = open.xid::xid and p.database <> current_database())
    ), vague as (
      select count(*) > ${mostOpen} as is_vague from named
    )
    select vague.is_vague,
      case when is_vague then (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text
        else concat_ws(':', pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1, (select string_agg(xid::text, ',') from named))
      end as cursor,
      case when not (${listener.isManager ? sql`true` : wholeBuilding}) then array(
        select ef.floor_uid from event_building eb
        join event_floor ef on ef.client_uid = eb.client_uid and ef.event_uid = eb.event_uid
          and ef.building_uid = eb.building_uid
        where ${ofEvent(listener)}
          and ${inArea(listener, { floorUid: sql`ef.floor_uid`, buildingUid: sql`ef.building_uid` })}
      ) end as floors
    from vague`.execute(db)
  return rows[0] as Watch
}

export interface AlarmRow {
  buildingUid: BuildingUid
  buildingName: string
  floorUid: FloorUid | null
  floorName: string | null
  danger: number
  refusals: number
  floorStatus: string | null
  isNew: boolean
}

export interface Range {
  /** Positions: what was committed after `since`, up to `upTo`. New is what was committed after `raised`. */
  since: string
  raised: string
  /** Null: up to now. It is told again at the next question, and not left untold. */
  upTo: string | null
}

/**
 * Where something alarming was recorded by others and still holds, the gravest first.
 *
 * 1. `news`: entries of the journal. A danger is new if the person was not in danger before, or came from another floor
 *    and so perhaps from another area. `mayAlarm` uses the index `journal_alarm`.
 * 2. `standing`: those of which it is still true.
 */
export async function listAlarms(db: Db, listener: Listener, { since, raised, upTo }: Range): Promise<AlarmRow[]> {
  const { clientUid, eventUid, personUid, isManager } = listener
  const { rows } = await sql<AlarmRow>`
    with news as (
      select action, subject_uid, bool_or(not ${isIn(raised)}) as is_new
      from journal
      where ${mayAlarm}
        and event_uid = ${eventUid} and xid >= ${lowestAfter(since)}::xid8 and not ${isIn(since)}
        and ${upTo === null ? sql`true` : isIn(upTo)}
        and client_uid = ${clientUid} and actor_person_uid is distinct from ${personUid}
        and (action <> 'evacuee_status_set' or before->>'status' is distinct from 'danger'
          or ${!isManager} and before->>'floor_uid' is distinct from after->>'floor_uid')
      group by action, subject_uid
    ), standing as (
      select e.building_uid, e.floor_uid, n.is_new, n.action = 'evacuee_status_set' as is_danger, null as status_name
      from news n
      join evacuee e on e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.person_uid = n.subject_uid and e.active
      where case n.action when 'evacuee_status_set' then e.status = 'danger' when 'evacuee_refusal_set' then e.refused end
      union all
      select ef.building_uid, ef.floor_uid, n.is_new, false, s.name
      from news n
      join event_floor ef on ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid} and ef.floor_uid = n.subject_uid
      join event_building eb on ${ofEvent(listener)} and eb.building_uid = ef.building_uid
      join floor_status s on s.client_uid = ef.client_uid and s.uid = ef.floor_status_uid and s.colour = 'red'
      where n.action = 'floor_status_set'
    )
    select b.uid as building_uid, b.name as building_name, f.uid as floor_uid, f.name as floor_name,
      (count(*) filter (where is_danger))::int as danger,
      (count(*) filter (where not is_danger and status_name is null))::int as refusals,
      max(status_name) as floor_status, bool_or(is_new) as is_new
    from standing t
    join building b on b.client_uid = ${clientUid} and b.uid = t.building_uid
    left join floor f on f.client_uid = ${clientUid} and f.uid = t.floor_uid
    where ${inArea(listener, { floorUid: sql`t.floor_uid`, buildingUid: sql`t.building_uid` })}
    group by b.uid, b.name, f.uid, f.name, f.level
    order by bool_or(is_danger) desc, bool_or(not is_danger and status_name is null) desc, b.name, f.level, f.name, b.uid, f.uid`.execute(
    db,
  )
  return rows
}
