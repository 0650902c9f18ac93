import { sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { FoundPlace } from './places.queries.ts'

/** Codes of sites, of buildings, or of the floors of a building, retired ones too: a code is used once. */
export async function listCodes(
  tx: Tx,
  clientUid: ClientUid,
  kind: FoundPlace['kind'],
  buildingUid: BuildingUid | null = null,
): Promise<string[]> {
  const ofBuilding = kind === 'floor' ? sql`and building_uid = ${buildingUid}` : sql``
  const { rows } = await sql<{ code: string }>`
    select code from ${sql.table(kind)} where client_uid = ${clientUid} ${ofBuilding}`.execute(tx)
  return rows.map(({ code }) => code)
}

export function findEventOf(tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<{ uid: EventUid } | undefined> {
  return tx
    .selectFrom('event')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('siteUid', '=', siteUid)
    .where('endedAt', 'is', null)
    .executeTakeFirst() as Promise<{ uid: EventUid } | undefined>
}

/** Floors in use of a building in order. */
export function listLevels(tx: Tx, clientUid: ClientUid, buildingUid: BuildingUid) {
  return tx
    .selectFrom('floor')
    .select(['uid', 'level'])
    .where('clientUid', '=', clientUid)
    .where('buildingUid', '=', buildingUid)
    .where('retiredAt', 'is', null)
    .orderBy('level')
    .orderBy('name')
    .orderBy('uid')
    .$narrowType<{ uid: FloorUid }>()
    .execute()
}

export interface Uses {
  people: number
  assignments: number
  documents: number
}

/** What still needs a place or what is in it: active people, assignments not past, documents of a site. */
export async function countUses(tx: Tx, clientUid: ClientUid, { kind, uid, siteUid }: FoundPlace): Promise<Uses> {
  const floors = sql`(select f.uid from floor f join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where f.client_uid = ${clientUid} and ${uid}::uuid in (f.uid, b.uid, b.site_uid))`
  const buildings = sql`(select b.uid from building b where b.client_uid = ${clientUid} and ${uid}::uuid in (b.uid, b.site_uid))`
  const { rows } = await sql<Uses>`
    with here as (select (now() at time zone timezone)::date as today from site where client_uid = ${clientUid} and uid = ${siteUid})
    select
      (select count(*) from person p, here where p.client_uid = ${clientUid} and p.active
        and (p.kind = 'staff' or p.visit_date >= here.today)
        and (p.primary_floor_uid in ${floors} or p.primary_floor_uid is null and p.visiting_building_uid in ${buildings}))::int as people,
      (select count(*) from warden_assignment a, here
        where a.client_uid = ${clientUid} and a.site_uid = ${siteUid} and a.status in ('Offered', 'Accepted')
        and a.date_to >= here.today and (${kind} = 'site' or exists (select from assignment_location l
          where l.client_uid = a.client_uid and l.assignment_uid = a.uid
            and (l.floor_uid in ${floors} or l.building_uid in ${buildings}))))::int as assignments,
      (select count(*) from document d
        where d.client_uid = ${clientUid} and d.active and d.site_uid = ${uid})::int as documents`.execute(tx)
  return rows[0] as Uses
}

/** True if a site has a building in use, or a building a floor. */
export async function hasPlaces(tx: Tx, clientUid: ClientUid, uid: PlaceUid): Promise<boolean> {
  const { rows } = await sql`
    select from building where client_uid = ${clientUid} and site_uid = ${uid} and retired_at is null
    union all
    select from floor where client_uid = ${clientUid} and building_uid = ${uid} and retired_at is null limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** Retires a place with all that is in it and still in use, as of one moment. */
export async function retire(tx: Tx, clientUid: ClientUid, uid: PlaceUid): Promise<void> {
  await setRetired(tx, clientUid, uid, sql`now()`, sql`is null`)
}

/** Brings back a place with what was retired with it. */
export async function bringBack(tx: Tx, clientUid: ClientUid, uid: PlaceUid, retiredAt: Date): Promise<void> {
  // a date of JavaScript has milliseconds only
  await setRetired(
    tx,
    clientUid,
    uid,
    sql`null`,
    sql`between ${retiredAt}::timestamptz and ${retiredAt}::timestamptz + interval '1 ms'`,
  )
}

async function setRetired(
  tx: Tx,
  clientUid: ClientUid,
  uid: PlaceUid,
  value: ReturnType<typeof sql>,
  condition: ReturnType<typeof sql>,
): Promise<void> {
  const change = sql`set retired_at = ${value}, updated_at = now()`
  await sql`
    update floor f ${change} from building b
    where b.client_uid = ${clientUid} and f.client_uid = b.client_uid and f.building_uid = b.uid
      and ${uid}::uuid in (f.uid, b.uid, b.site_uid) and f.retired_at ${condition}`.execute(tx)
  await sql`
    update building ${change}
    where client_uid = ${clientUid} and ${uid}::uuid in (uid, site_uid) and retired_at ${condition}`.execute(tx)
  await sql`
    update site ${change} where client_uid = ${clientUid} and uid = ${uid} and retired_at ${condition}`.execute(tx)
}

/** True if another place in use has the name of one that is brought back, or what comes with it. */
export async function isNameUsed(tx: Tx, clientUid: ClientUid, { kind, uid, buildingUid, siteUid }: FoundPlace) {
  const scope =
    kind === 'floor'
      ? sql`and o.building_uid = ${buildingUid}`
      : kind === 'building'
        ? sql`and o.site_uid = ${siteUid}`
        : sql``
  const { rows } = await sql`
    select from ${sql.table(kind)} t
    join ${sql.table(kind)} o on o.client_uid = t.client_uid and o.name = t.name and o.uid <> t.uid and o.retired_at is null ${scope}
    where t.client_uid = ${clientUid} and t.uid = ${uid}`.execute(tx)
  return rows.length > 0
}

/** True if the site or building that the place is in is retired. */
export async function isWithinRetired(tx: Tx, clientUid: ClientUid, { kind, uid, siteUid, buildingUid }: FoundPlace) {
  if (kind === 'site') return false
  const { rows } = await sql`
    select from site st left join building b on b.client_uid = st.client_uid and b.uid = ${buildingUid} and b.uid <> ${uid}
    where st.client_uid = ${clientUid} and st.uid = ${siteUid} and coalesce(st.retired_at, b.retired_at) is not null`.execute(
    tx,
  )
  return rows.length > 0
}
