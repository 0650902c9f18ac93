import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'

/** `names_kept` of the event itself: no person, and no place but the site. */
export type EventNames = {
  site: { uid: string; name: string }
  type: { uid: string; name: string }
  /** uid, name, means clear, colour, order. */
  statuses: [string, string, boolean, string, number][]
  /** uid, name, domain, modules. */
  roles: [string, string, string, string[]][]
}

/** `names_kept` of a building of the event, or of so many of its floors as one entry takes. */
export type BuildingNames = {
  building_uid: string
  name: string
  /** uid, name, level. */
  floors: [string, string, number][]
}

/** The words of running events as they are in this transaction. */
export async function listEventNames(tx: Tx, which: RawBuilder<unknown>) {
  const { rows } = await sql<{ eventUid: string; names: EventNames }>`
    select e.uid as event_uid, json_build_object(
      'site', json_build_object('uid', st.uid, 'name', st.name),
      'type', json_build_object('uid', et.uid, 'name', et.type),
      'statuses', (select coalesce(json_agg(json_build_array(s.uid, s.name, s.means_clear, s.colour, s.display_order)
        order by s.display_order, s.uid), '[]') from floor_status s where s.client_uid = e.client_uid),
      'roles', (select coalesce(json_agg(json_build_array(r.uid, r.name, r.area_domain, r.modules) order by r.name, r.uid), '[]')
        from warden_role r where r.client_uid = e.client_uid)) as names
    from event e
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    where e.ended_at is null and ${which} order by e.uid`.execute(tx)
  return rows
}

/** The words of buildings of running events, those that left included: one row for each so many floors. */
export async function listBuildingNames(tx: Tx, which: RawBuilder<unknown>, most: number) {
  const { rows } = await sql<{ eventUid: string; names: BuildingNames }>`
    select e.uid as event_uid, json_build_object('building_uid', b.uid, 'name', b.name, 'floors', part.floors) as names
    from event e
    join event_building eb on eb.client_uid = e.client_uid and eb.event_uid = e.uid
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    cross join lateral (
      select coalesce(json_agg(json_build_array(f.uid, f.name, f.level) order by f.level, f.uid) filter (where f.uid is not null), '[]')
        as floors, f.part
      from (select) one left join (
        select uid, name, level, (row_number() over (order by level, uid) - 1) / ${most} as part from floor
        where client_uid = b.client_uid and building_uid = b.uid
      ) f on true group by f.part
    ) part
    where e.ended_at is null and ${which} order by e.uid, b.uid, part.part`.execute(tx)
  return rows
}

/** What the log of an event has kept of its words, in its order. */
export async function listKept(db: Db, { clientUid, eventUid }: { clientUid: string; eventUid: string }) {
  const { rows } = await sql<{ xid: string; position: string; after: JsonObject }>`
    select j.xid::text, j.position::text, coalesce(j.after -> 'words', j.after) as after from journal j
    where j.client_uid = ${clientUid} and j.event_uid = ${eventUid} and j.action in ('names_kept', 'log_form')
    order by j.xid, j.position`.execute(db)
  return rows
}
