import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { DataFile } from '../data-files.queries.ts'
import type { LogOf } from '../sealing.queries.ts'

const ofLog = ({ clientUid, eventUid }: LogOf) => sql`(client_uid, event_uid) = (${clientUid}, ${eventUid})`

/** Entries of a log of version 1 that cannot be shown as they were logged: rows deleted, or words deleted from them. */
export async function listGoneEntries(db: Db, of: LogOf): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select (t.idx * 256 + k.nth)::int as n
    from log_tile t cross join unnest(t.keys) with ordinality k (position, nth)
    left join journal j on j.event_uid = t.event_uid and j.position = k.position
    where (t.client_uid, t.event_uid, t.file) = (${of.clientUid}, ${of.eventUid}, 'journal')
      and (j.position is null or j.after ->> 'erased' = 'true' or coalesce(j.after ->> 'message', '') <> '' and exists (
        select from event_record r where (r.client_uid, r.event_uid) = (t.client_uid, t.event_uid)
          and coalesce(r.words_deleted_at, r.reduced_at) is not null))
    order by n`.execute(db)
  return rows.map(({ n }) => n)
}

/** Additions that are not as they were logged, by the numbers of their entries. */
export async function listGoneAdditions(db: Db, of: LogOf): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select (t.idx * 256 + array_position(t.keys, j.position))::int as n
    from journal j
    join log_tile t on (t.client_uid, t.event_uid) = (j.client_uid, j.event_uid) and t.file = 'journal' and j.position = any (t.keys)
    left join record_entry r on r.client_uid = j.client_uid and r.uid::text = j.after ->> 'entry_uid'
    where j.client_uid = ${of.clientUid} and j.event_uid = ${of.eventUid} and j.action = 'record_entry_added'
      and j.after ? 'commit' and r.salt is null order by n`.execute(db)
  return rows.map(({ n }) => n)
}

export async function listPackedTiles(db: Db, of: LogOf) {
  const { rows } = await sql<{ file: DataFile; idx: number; count: number; lines: Buffer | null }>`
    select file, idx, length(commits) / 32 as count, lines from log_tile
    where ${ofLog(of)} and file <> 'journal' order by file, idx`.execute(db)
  return rows
}

/** The stored record, if no lines of it are kept yet. */
export async function findUnpackedRecord(db: Db, of: LogOf): Promise<JsonObject | null> {
  const { rows } = await sql<{ summary: JsonObject | null }>`
    select summary from event_record r where ${ofLog(of)} and state in ('ready', 'reduced')
      and not exists (select from log_tile t where (t.client_uid, t.event_uid, t.file) = (r.client_uid, r.event_uid, 'record'))`.execute(
    db,
  )
  return rows[0]?.summary ?? null
}

export async function hasRecordLines(tx: Tx, of: LogOf): Promise<boolean> {
  const { rows } = await sql`select from log_tile where ${ofLog(of)} and file = 'record' limit 1`.execute(tx)
  return rows.length > 0
}

/** The words of an event of version 1, as they are now: those of then were not kept. */
export async function findWords(db: Db, { clientUid, eventUid }: LogOf): Promise<JsonObject | null> {
  const { rows } = await sql<{ words: JsonObject }>`
    select json_build_object(
      'site', json_build_object('uid', st.uid, 'name', st.name),
      'type', (select json_build_object('uid', et.uid, 'name', et.type) from event e
        join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
        where e.client_uid = ${clientUid} and e.uid = ${eventUid}),
      'statuses', (select coalesce(json_agg(json_build_array(s.uid, s.name, s.means_clear, s.colour, s.display_order)
        order by s.display_order, s.uid), '[]') from floor_status s where s.client_uid = st.client_uid),
      'roles', (select coalesce(json_agg(json_build_array(r.uid, r.name, r.area_domain, r.modules) order by r.name, r.uid), '[]')
        from warden_role r where r.client_uid = st.client_uid),
      'buildings', (select coalesce(json_agg(json_build_object('building_uid', b.uid, 'name', b.name, 'floors',
          (select coalesce(json_agg(json_build_array(f.uid, f.name, f.level) order by f.level, f.uid), '[]')
            from floor f where f.client_uid = b.client_uid and f.building_uid = b.uid)) order by b.uid), '[]')
        from building b where b.client_uid = st.client_uid and (b.uid = any (place.buildings) or exists (
          select from event_building eb where (eb.client_uid, eb.event_uid, eb.building_uid) = (b.client_uid, ${eventUid}, b.uid))))
      ) as words
    from (
      select site_uid, building_uids as buildings from event_record where (client_uid, event_uid) = (${clientUid}, ${eventUid})
      union all select site_uid, '{}' from event where (client_uid, uid) = (${clientUid}, ${eventUid}) limit 1
    ) place
    join site st on st.client_uid = ${clientUid} and st.uid = place.site_uid`.execute(db)
  return rows[0]?.words ?? null
}
