import { type RawBuilder, sql } from 'kysely'
import type { Doing } from '#kernel/action-words.ts'
import type { BuildingUid, ClientUid, EvacueeUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { eventWord } from '#server/wardens/event-name.ts'
import type { ReportWay } from '../kinds.ts'

/** What an address of the page is of. */
export interface Addressed {
  way: ReportWay
  clientUid: ClientUid
  siteUid: SiteUid
  siteName: string
  country: string
  /** The poster page takes reports. Always true for a personal link. */
  open: boolean
  /** Null: no event is running there. */
  event: { uid: EventUid; type: string; kind: EventKind; doing: Doing[] } | null
  /** Of a personal link. */
  evacueeUid: EvacueeUid | null
}

/** `doing` is what people do in the buildings of the event `eb` that are meant. */
const eventRead = (meant: RawBuilder<unknown>) => sql`case when e.uid is not null
  then jsonb_build_object('uid', e.uid, 'type', ${eventWord}, 'kind', e.kind, 'doing', (
    select jsonb_agg(jsonb_build_object('action', eb.action, 'before', eb.action_before)) from event_building eb
    where eb.client_uid = e.client_uid and eb.event_uid = e.uid and eb.active and ${meant})) end as event`

/** A site `st` of an organisation in use, with the running event `e` there. */
const atSite = (from: RawBuilder<unknown>, site: RawBuilder<unknown>, event: RawBuilder<unknown>) => sql`
  ${from}
  join client c on c.uid = x.client_uid and c.active
  ${site}
  left join (event e join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid) on ${event}`

/** A personal link ends with its event, and when its person leaves it. */
export async function findLinkAddress(db: Db, tokenHash: Buffer): Promise<Addressed | undefined> {
  const { rows } = await sql<Addressed>`
    select 'link' as way, x.client_uid, st.uid as site_uid, st.name as site_name, c.country, true as open,
      ${eventRead(sql`eb.building_uid = v.building_uid`)}, x.evacuee_uid
    from ${atSite(
      sql`self_link x join evacuee v on v.client_uid = x.client_uid and v.uid = x.evacuee_uid
        join event of_link on of_link.client_uid = v.client_uid and of_link.uid = v.event_uid`,
      sql`join site st on st.client_uid = x.client_uid and st.uid = of_link.site_uid`,
      sql`e.client_uid = x.client_uid and e.uid = v.event_uid and e.ended_at is null and v.active`,
    )}
    where x.token_hash = ${tokenHash} and x.revoked_at is null`.execute(db)
  return rows[0]
}

export async function findPosterAddress(db: Db, code: string): Promise<Addressed | undefined> {
  const { rows } = await sql<Addressed>`
    select 'poster' as way, x.client_uid, st.uid as site_uid, st.name as site_name, c.country, x.open, ${eventRead(sql`true`)}, null as evacuee_uid
    from ${atSite(
      sql`self_report_page x`,
      sql`join site st on st.client_uid = x.client_uid and st.uid = x.site_uid`,
      sql`e.client_uid = x.client_uid and e.site_uid = x.site_uid and e.ended_at is null`,
    )}
    where x.code = ${code}`.execute(db)
  return rows[0]
}

/** Where the organisation of a poster has gone, as an address. Undefined for any other code. */
export async function findMovedPoster(db: Db, code: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('selfReportPage as p')
    .innerJoin('client as c', 'c.uid', 'p.clientUid')
    .select('c.movedTo')
    .where('p.code', '=', code)
    .executeTakeFirst()
  return found?.movedTo ?? undefined
}

export interface PlaceRow {
  uid: FloorUid | BuildingUid
  /** Null for the building itself. */
  name: string | null
  level: number | null
  buildingUid: BuildingUid
  buildingName: string
}

/** Buildings of the event by name, each before its floors, the highest first. */
export async function listEventPlaces(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    with building_in as (
      select b.uid, b.name from event_building eb
      join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
      where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
    )
    select b.uid, null as name, null::int as level, b.uid as building_uid, b.name as building_name from building_in b
    union all
    select f.uid, f.name, f.level, b.uid, b.name
    from building_in b
    join event_floor ef on ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid} and ef.building_uid = b.uid
    join floor f on f.client_uid = ef.client_uid and f.uid = ef.floor_uid
    order by building_name, building_uid, level desc nulls first, name, uid`.execute(tx)
  return rows
}
