import { type RawBuilder, sql } from 'kysely'
import type { EventUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import type { EventKind, SafetyStatus } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../calls/record.ts'
import type { listRecords } from '../calls/records.ts'
import { startedByMistake } from '../kinds.ts'
import { isOpen, lastStep } from './actions/actions.queries.ts'
import { isWithin, ofSite, type Reach, touches } from './record-access.service.ts'

export const pageSize = 20

export interface CardRow {
  eventUid: EventUid
  state: 'writing' | 'ready' | 'failed' | 'reduced'
  number: number
  kind: EventKind
  type: string
  siteName: string
  timezone: string
  buildings: string[]
  beganAt: Date
  endedAt: Date
  result: EventRecord['result'] | null
  recounted: boolean
  signed: boolean
  actionsOpen: number
}

/** Actions of record `r` that are open. A number. */
const openActions = sql<number>`(
    select count(*)::int from record_entry a left join ${lastStep} on true
    where a.client_uid = r.client_uid and a.event_uid = r.event_uid and a.kind = 'action' and ${isOpen}
  )`

type Sort = NonNullable<CallInput<typeof listRecords>['query']['sort']>

/** What a row of `event_record` is sorted by, never null. */
const sortKeys: Record<Sort, (row: 'r' | 'a') => RawBuilder<unknown>> = {
  type: (row) => sql`lower(coalesce((select et.type from event e
    join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    where e.client_uid = ${sql.ref(`${row}.clientUid`)} and e.uid = ${sql.ref(`${row}.eventUid`)}), ${sql.ref(`${row}.summary`)} ->> 'type', ''))`,
  kind: (row) => sql.ref(`${row}.kind`),
  number: (row) => sql.ref(`${row}.number`),
  began: (row) => sql.ref(`${row}.beganAt`),
  duration: (row) => sql`(${sql.ref(`${row}.endedAt`)} - ${sql.ref(`${row}.beganAt`)})`,
  result: (row) => sql`coalesce(${sql.ref(`${row}.result`)}, '')`,
}

/** Newest end first or as asked, behind the record `after`. */
export async function listCards(
  tx: Tx,
  reach: Reach,
  { q, kind, site, from, to, result, open, sort, direction, after }: CallInput<typeof listRecords>['query'],
): Promise<CardRow[]> {
  const conditions: RawBuilder<unknown>[] = [touches(reach)]
  const dayOf = (day: string) => sql`(${day}::date::timestamp at time zone st.timezone)`
  if (q) conditions.push(sql`strpos(r.search, lower(${q})) > 0`)
  if (kind) conditions.push(sql`r.kind = ${kind}`)
  if (site) conditions.push(sql`r.site_uid = ${site}`)
  if (from) conditions.push(sql`r.ended_at >= ${dayOf(from)}`)
  if (to) conditions.push(sql`r.ended_at < ${dayOf(to)} + interval '1 day'`)
  if (result) conditions.push(sql`r.result = ${result}`)
  if (open) conditions.push(sql`${openActions} > 0`)
  const isUp = direction === 'up'
  const [beyond, way] = isUp ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const keyOf = (row: 'r' | 'a') => [
    ...(sort ? [sortKeys[sort](row)] : []),
    sql.ref(`${row}.endedAt`),
    sql.ref(`${row}.eventUid`),
  ]
  if (after)
    conditions.push(sql`(${sql.join(keyOf('r'))}) ${beyond} (select ${sql.join(keyOf('a'))} from event_record a
      where a.client_uid = ${reach.clientUid} and a.event_uid = ${after})`)
  const { rows } = await sql<CardRow>`
    select r.event_uid, r.state, r.number, r.kind, coalesce(told.type, et.type, '') as type, coalesce(told.site ->> 'name', st.name) as site_name,
      st.timezone, coalesce((select array_agg(b ->> 'name' order by b ->> 'name') from jsonb_array_elements(told.buildings) b),
        array(select b.name from building b where b.client_uid = r.client_uid and b.uid = any (r.building_uids) order by b.name)) as buildings,
      r.began_at, r.ended_at, coalesce(r.recount -> 'result', told.result) as result, r.recount is not null as recounted, ${openActions} as actions_open,
      exists (select from record_entry s where s.client_uid = r.client_uid and s.event_uid = r.event_uid and s.kind = 'sign_off') as signed
    from event_record r
    join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
    -- the words of the record, unpacked once; none until it is written
    left join lateral jsonb_to_record(r.summary) told (type text, site jsonb, buildings jsonb, result jsonb) on true
    left join event e on e.client_uid = r.client_uid and e.uid = r.event_uid
    left join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    where ${sql.join(conditions, sql` and `)}
    order by ${sql.join(keyOf('r').map((key) => sql`${key} ${way}`))} limit ${pageSize + 1}`.execute(tx)
  return rows
}

interface RunningRow {
  eventUid: EventUid
  kind: EventKind
  type: string
  siteName: string
  timezone: string
  buildings: string[]
  startedAt: Date
}

/** Events that run at the site within reach, or whose record has no number yet. */
export async function listRunning(tx: Tx, reach: Reach): Promise<RunningRow[]> {
  const { rows } = await sql<RunningRow>`
    select e.uid as event_uid, e.kind, et.type, st.name as site_name, st.timezone, e.started_at,
      array(select distinct b.name from event_building eb join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
        where eb.client_uid = e.client_uid and eb.event_uid = e.uid and eb.active order by b.name) as buildings
    from event e
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    where e.client_uid = ${reach.clientUid} and ${ofSite(reach, sql`e.site_uid`)} and e.ended_at is null
      and exists (select from event_floor ef where ef.client_uid = e.client_uid and ef.event_uid = e.uid
        and ${isWithin(reach, { floorUid: sql`ef.floor_uid`, buildingUid: sql`ef.building_uid` })})`.execute(tx)
  return rows
}

export async function listRecordedSites(tx: Tx, reach: Reach): Promise<{ id: SiteUid; name: string }[]> {
  const { rows } = await sql<{ id: SiteUid; name: string }>`
    select st.uid as id, st.name from site st
    where st.client_uid = ${reach.clientUid} and exists (select from event_record r where r.site_uid = st.uid and ${touches(reach)})
    order by st.name, st.uid`.execute(tx)
  return rows
}

/** The record as it was written. Null until it is ready. */
export async function findSummary(
  tx: Tx,
  { clientUid }: Pick<Reach, 'clientUid'>,
  eventUid: EventUid,
): Promise<EventRecord | null> {
  const { rows } = await sql<{ summary: EventRecord | null }>`
    select summary from event_record where client_uid = ${clientUid} and event_uid = ${eventUid}`.execute(tx)
  return rows[0]?.summary ?? null
}

/** What a later count found. Null: nothing else. */
export async function findRecount(tx: Tx, { clientUid }: Reach, eventUid: EventUid) {
  const { rows } = await sql<{ text: string; at: Date; result: EventRecord['result'] }>`
    select a.body ->> 'text' as text, a.recorded_at as at, r.recount -> 'result' as result
    from event_record r
    join record_entry a on a.client_uid = r.client_uid and a.event_uid = r.event_uid and a.kind = 'recount'
    where r.client_uid = ${clientUid} and r.event_uid = ${eventUid} and r.recount is not null
    order by a.recorded_at desc limit 1`.execute(tx)
  const [found] = rows
  return found ? { ...found, at: found.at.toISOString() } : null
}

/** The replay as it is kept. Null: there is none. */
export async function findReplay(tx: Tx, { clientUid }: Reach, eventUid: EventUid): Promise<Buffer | null> {
  const { rows } = await sql<{ replay: Buffer | null }>`
    select replay from event_record where client_uid = ${clientUid} and event_uid = ${eventUid}`.execute(tx)
  return rows[0]?.replay ?? null
}

export interface NamedRow {
  personUid: PersonUid
  name: string
  buildingUid: string
  buildingName: string
  floorUid: string | null
  floorName: string | null
  status: SafetyStatus
  refused: boolean
  left: boolean
  statusAt: Date | null
  lastByUid: PersonUid | null
  lastBy: string | null
}

const inList: Record<'unaccounted' | 'danger' | 'refused' | 'plans' | 'late', RawBuilder<unknown>> = {
  unaccounted: sql`v.status = 'unknown'`,
  danger: sql`v.status = 'danger'`,
  // at a moment of what the record counts
  refused: sql`v.person_uid in (select j.subject_uid from journal j where j.event_uid = v.event_uid
    and j.action = 'evacuee_refusal_set' and j.after ->> 'refused' = 'true'
    and j.recorded_at >= coalesce(e.live_from, '-infinity'))`,
  plans: sql`exists (select from peep where peep.client_uid = v.client_uid and peep.person_uid = v.person_uid and peep.active)`,
  // Also of someone who left the event with their building
  late: sql`exists (select from journal j where j.client_uid = v.client_uid and j.event_uid = v.event_uid
    and j.action = 'late_record' and j.subject_uid = v.person_uid)`,
}

/** Evacuee `v` of event `e` is in the counts of the record: there at the end, or gone with a building in the part that counts. */
const isCounted = sql`(v.active or v.left_with is not null and v.removed_at >= coalesce(e.live_from, '-infinity'))`

/** By building, floor from the top, and name. People without a floor stand last of their building. */
const inOrder = sql`coalesce(wb.name, b.name) collate places, b.uid, -coalesce(wf.level, f.level, -100000), f.uid is null,
    coalesce(f.uid, b.uid), v.sort_name, v.uid`
/** Where they are, and what the event called it. */
const withPlaces = sql`
    join building b on b.client_uid = v.client_uid and b.uid = v.building_uid
    left join floor f on f.client_uid = v.client_uid and f.uid = v.floor_uid
    left join word wb on wb.uid = b.uid
    left join word wf on wf.uid = f.uid`

/** People of the event in the order of its places as they were called, behind the person `after`, at places within reach. */
export async function listNamed(
  tx: Tx,
  reach: Reach,
  { eventUid, list, after }: { eventUid: EventUid; list: keyof typeof inList; after: string | undefined },
  places: readonly { uid: string; name: string; level: number | null }[],
): Promise<NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    with word (uid, name, level) as materialized (select * from unnest(${places.map(({ uid }) => uid)}::uuid[],
      ${places.map(({ name }) => name)}::text[], ${places.map(({ level }) => level)}::int[]))
    select v.person_uid, p.name,
      b.uid as building_uid, b.name as building_name, f.uid as floor_uid, f.name as floor_name, v.status,
      ${inList.refused} as refused, v.left_with is not null as "left", v.status_at,
      by.uid as last_by_uid, by.name as last_by
    from evacuee v
    join event e on e.client_uid = v.client_uid and e.uid = v.event_uid
    join person p on p.client_uid = v.client_uid and p.uid = v.person_uid
    ${withPlaces}
    left join person by on by.client_uid = v.client_uid and by.uid = v.status_by_person_uid
    where v.client_uid = ${reach.clientUid} and v.event_uid = ${eventUid} and (${isCounted} or ${list === 'late'}) and ${inList[list]}
      and ${isWithin(reach, { floorUid: sql`v.floor_uid`, buildingUid: sql`v.building_uid` })}
      and (${after ?? null}::uuid is null or (${inOrder}) > (select ${inOrder} from evacuee v ${withPlaces}
        where v.client_uid = ${reach.clientUid} and v.event_uid = ${eventUid} and v.person_uid = ${after ?? null}))
    order by ${inOrder} limit ${pageSize + 1}`.execute(tx)
  return rows
}

interface TrendRow {
  eventUid: EventUid
  number: number
  kind: EventKind
  beganAt: Date
  timezone: string
  record: EventRecord
}

/** Too short to say anything, or started by mistake. Of record `r`. */
const isNoPoint = sql`(r.ended_at < r.began_at + interval '60 seconds' or (
      select o.body ->> 'outcome' from record_entry o
      where o.client_uid = r.client_uid and o.event_uid = r.event_uid and o.kind = 'outcome'
      order by o.recorded_at desc, o.uid desc limit 1) = ${startedByMistake})`

const ofTrends = (
  reach: Reach,
  siteUid: SiteUid,
) => sql`r.site_uid = ${siteUid} and r.summary is not null and ${touches(reach)}
        and (${reach.isSite} or r.building_uids <@ ${reach.buildingUids}::uuid[])`

/** The latest 40 records of each kind of the site whose whole event is within reach, oldest first. */
export async function listTrendRows(tx: Tx, reach: Reach, siteUid: SiteUid): Promise<TrendRow[]> {
  const { rows } = await sql<TrendRow>`
    select * from (
      select r.event_uid, r.number, r.kind, r.began_at, st.timezone, coalesce(r.recount, r.summary) - 'decisions' - 'sentences' as record,
        row_number() over (partition by r.kind order by r.ended_at desc, r.event_uid desc) as nth
      from event_record r join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
      where ${ofTrends(reach, siteUid)} and not coalesce(${isNoPoint}, false)
    ) latest where nth <= 40 order by began_at, number`.execute(tx)
  return rows
}

/** How many records of each kind are left out of the trends. */
export async function countNotDrawn(tx: Tx, reach: Reach, siteUid: SiteUid): Promise<Record<EventKind, number>> {
  const { rows } = await sql<Record<EventKind, number>>`
    select (count(*) filter (where r.kind = 'drill'))::int as drill, (count(*) filter (where r.kind = 'live'))::int as live
    from event_record r where ${ofTrends(reach, siteUid)} and ${isNoPoint}`.execute(tx)
  return rows[0] ?? { drill: 0, live: 0 }
}
