import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { areaPlaces } from '#server/wardens/warden-area.ts'
import type { PlaceMove } from './replay/replay.ts'

/** The event whose record is written. */
export interface Of {
  clientUid: ClientUid
  eventUid: EventUid
}

const journalOf = ({ clientUid, eventUid }: Of) => sql`j.client_uid = ${clientUid} and j.event_uid = ${eventUid}`
/** Seconds since the start of event `e`, never negative: the clock of a phone may be ahead. */
const since = (at: ReturnType<typeof sql>) => sql<number>`greatest(0, extract(epoch from ${at} - e.started_at))::float8`

interface Ended {
  kind: EventKind
  announced: boolean | null
  type: string
  siteUid: SiteUid
  siteName: string
  timezone: string
  message: string
  broadcast: boolean
  alert: boolean
  smsAllowed: boolean
  startedAt: Date
  endedAt: Date
  liveFrom: Date | null
  seconds: number
  startedBy: string | null
  startedByRole: string | null
  endedBy: string | null
  endedByRole: string | null
  liveBy: string | null
}

/** What the event itself says. */
export async function getEnded(tx: Tx, { clientUid, eventUid }: Of): Promise<Ended> {
  const { rows } = await sql<Ended>`
    select e.kind, e.announced, et.type, e.site_uid, st.name as site_name, st.timezone, e.message, e.broadcast, e.alert,
      c.sms_allowed, e.started_at, e.ended_at, e.live_from, ${since(sql`e.ended_at`)} as seconds,
      started.name as started_by, started.role as started_by_role,
      coalesce(ended.name, ender.first_name || ' ' || ender.last_name) as ended_by, ended.role as ended_by_role,
      liver.first_name || ' ' || liver.last_name as live_by
    from event e
    join client c on c.uid = e.client_uid
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    left join ${participants} started on started.client_uid = e.client_uid and started.uid = e.started_by_sign_in_uid
    left join ${participants} ended on ended.client_uid = e.client_uid and ended.uid = e.ended_by_sign_in_uid
    left join person ender on ender.client_uid = e.client_uid and ender.uid = e.ended_by_person_uid
    left join person liver on liver.client_uid = e.client_uid and liver.uid = e.live_by_person_uid
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}`.execute(tx)
  const [ended] = rows
  if (!ended) throw new Error(`no event ${eventUid}`)
  return ended
}

/** Participations with the name and the role of their wardens. A from-item. */
export const participants = sql`(
    select si.client_uid, si.uid, p.first_name || ' ' || p.last_name as name, r.name as role
    from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
  )`

interface RecordedBuilding {
  uid: BuildingUid
  name: string
  joined: number
  left: number | null
}

/** Buildings by name, with when they joined and left. Null: in the event to its end. */
export async function listRecordedBuildings(tx: Tx, { clientUid, eventUid }: Of): Promise<RecordedBuilding[]> {
  const { rows } = await sql<RecordedBuilding>`
    select b.uid, b.name, min(${since(sql`eb.added_at`)}) as joined,
      case when bool_and(coalesce(eb.removed_at < the_end.at, false)) then max(${since(sql`eb.removed_at`)}) end as "left"
    from event e
    join event_building eb on eb.client_uid = e.client_uid and eb.event_uid = e.uid
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    -- the last building leaves in the transaction that ends the event
    cross join lateral (select max(removed_at) as at from event_building last
      where last.client_uid = e.client_uid and last.event_uid = e.uid) the_end
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}
    group by b.uid, b.name order by b.name, b.uid`.execute(tx)
  return rows
}

export interface RecordedFloor {
  floorUid: FloorUid
  name: string
  buildingUid: BuildingUid
  buildingName: string
  status: string
}

/** Floors from the top down, as they were at the end. */
export async function listRecordedFloors(tx: Tx, { clientUid, eventUid }: Of): Promise<RecordedFloor[]> {
  const { rows } = await sql<RecordedFloor>`
    select ef.floor_uid, f.name, ef.building_uid, b.name as building_name, s.name as status
    from event_floor ef
    join floor f on f.client_uid = ef.client_uid and f.uid = ef.floor_uid
    join building b on b.client_uid = ef.client_uid and b.uid = ef.building_uid
    join floor_status s on s.client_uid = ef.client_uid and s.uid = ef.floor_status_uid
    where ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid}
    order by b.name, b.uid, f.level desc, f.name, f.uid`.execute(tx)
  return rows
}

export interface FloorChange {
  /** Null: every floor, back to the first status. */
  floorUid: FloorUid | null
  seen: number
  recorded: number
  clears: boolean
  statusUid: string | null
}

/** Changes of floor statuses in the order of the time seen. Overruled ones changed nothing. */
export async function listFloorChanges(tx: Tx, of: Of): Promise<FloorChange[]> {
  const { rows } = await sql<FloorChange>`
    select case when j.action = 'floor_status_set' then j.subject_uid end as floor_uid,
      ${since(sql`coalesce(j.observed_at, j.recorded_at)`)} as seen, ${since(sql`j.recorded_at`)} as recorded,
      case when j.action = 'floor_status_set' then coalesce(s.means_clear, false)
        else coalesce((select means_clear from floor_status f where f.client_uid = e.client_uid and f.in_use
          order by f.display_order limit 1), false) end as clears, s.uid as status_uid
    from event e
    join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid
    left join floor_status s on s.client_uid = j.client_uid and s.uid = (j.after ->> 'floor_status_uid')::uuid
    where ${journalOf(of)} and j.action in ('floor_status_set', 'drill_made_live')
      and coalesce(j.after ->> 'overruled', 'false') <> 'true'
    order by coalesce(j.observed_at, j.recorded_at), j.xid, j.position`.execute(tx)
  return rows
}

export async function hasClearStatus(tx: Tx, clientUid: ClientUid): Promise<boolean> {
  const status = tx
    .selectFrom('floorStatus')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('meansClear', '=', true)
  return (await status.limit(1).execute()).length > 0
}

/**
 * Every change of the counts of a place stands in the journal: a status moves one person, and other entries say by
 * how much they changed each place. Changes commute, so their sum does not depend on any order. Over journal `j`.
 */
const isMove = sql`(j.action = 'evacuee_status_set' and not j.after ? 'tally' and coalesce(j.after ->> 'superseded', 'false') <> 'true')`
const wasAt = sql`coalesce(j.before ->> 'floor_uid', j.before ->> 'building_uid')`
const isAt = sql`case when coalesce(j.after ->> 'stays', 'false') = 'true' then ${wasAt}
    else coalesce(j.after ->> 'floor_uid', j.after ->> 'building_uid') end`
/** What an entry says about each place: [place, safe, unknown, danger, refusals]. A from-item. */
const tallyLines = sql`jsonb_array_elements(j.after -> 'tally') line`

/**
 * How the counts of each place changed in each step of so many seconds. Empty steps are left out. Equal
 * moves of a step are counted first: two rows for each entry would take twice as long.
 */
export async function listMoves(tx: Tx, of: Of, stepSeconds: number): Promise<PlaceMove[]> {
  const step = sql`least(floor(${since(sql`j.recorded_at`)} / ${stepSeconds}::float8), 299)::int`
  const { rows } = await sql<PlaceMove>`
    with moved as (
      select ${step} as step, ${wasAt} as was_at, j.before ->> 'status' as was, ${isAt} as is_at, j.after ->> 'status' as is_now,
        count(*) as people
      from event e join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid
      where ${journalOf(of)} and ${isMove}
      group by 1, 2, 3, 4, 5
    ), changes (step, place, status, by) as (
      select step, was_at, was, -people from moved
      union all
      select step, is_at, is_now, people from moved
      union all
      select ${step}, line ->> 0, n.status, (line ->> n.at)::int
      from event e join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid
      cross join ${tallyLines}
      cross join (values ('safe', 1), ('unknown', 2), ('danger', 3)) n (status, at)
      where ${journalOf(of)} and j.after ? 'tally'
    )
    select place::uuid as place_uid, step,
      coalesce(sum(by) filter (where status = 'safe'), 0)::int as safe,
      coalesce(sum(by) filter (where status = 'unknown'), 0)::int as unknown,
      coalesce(sum(by) filter (where status = 'danger'), 0)::int as danger
    from changes group by 1, 2 order by 2`.execute(tx)
  return rows
}

/** Statuses of floors, in their order. The first one in use is what floors have at the start. */
export async function listFloorStatuses(tx: Tx, clientUid: ClientUid) {
  const { rows } = await sql<{ uid: string; name: string; colour: string; isFirst: boolean }>`
    select uid, name, colour, in_use and row_number() over (order by not in_use, display_order, uid) = 1 as is_first
    from floor_status where client_uid = ${clientUid} order by display_order, uid`.execute(tx)
  return rows
}

/** When the number of people who are unknown or in danger changed for the last time, in seconds. It did not before `from`. */
export async function findLastUnaccounted(tx: Tx, of: Of, from: number): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select max(${since(sql`j.recorded_at`)}) as at
    from event e join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid
    where ${journalOf(of)} and (${from}::float8 = 0 or j.recorded_at >= (
        select started_at + make_interval(secs => ${from}) from event where client_uid = ${of.clientUid} and uid = ${of.eventUid}))
      and case when j.after ? 'tally'
        then (select sum((line ->> 2)::int + (line ->> 3)::int) from ${tallyLines}) <> 0
        else ${isMove} and ((j.before ->> 'status' <> 'safe') is true) <> ((j.after ->> 'status' <> 'safe') is true) end`.execute(
    tx,
  )
  return rows[0]?.at ?? null
}

/** People of each floor who were unknown or in danger at the moment that is given for it, in seconds. */
export async function countUnseen(
  tx: Tx,
  of: Of,
  moments: readonly { floorUid: FloorUid; at: number }[],
): Promise<Map<FloorUid, number>> {
  if (moments.length === 0) return new Map()
  const side = (place: RawBuilder<unknown>, by: RawBuilder<unknown>, where: RawBuilder<unknown>, lines = sql``) => sql`
    select (${place})::uuid as place_uid, ${since(sql`j.recorded_at`)} as at, ${by} as by
    from event e join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid ${lines}
    where ${journalOf(of)} and ${where}`
  const { rows } = await sql<{ floorUid: FloorUid; people: number }>`
    select c.floor_uid, greatest(0, sum(m.by))::int as people
    from unnest(${moments.map(({ floorUid }) => floorUid)}::uuid[], ${moments.map(({ at }) => at)}::float8[]) as c (floor_uid, at)
    join (
      ${side(wasAt, sql`-1`, sql`${isMove} and j.before ->> 'status' <> 'safe'`)}
      union all
      ${side(isAt, sql`1`, sql`${isMove} and j.after ->> 'status' <> 'safe'`)}
      union all
      ${side(sql`line ->> 0`, sql`(line ->> 2)::int + (line ->> 3)::int`, sql`j.after ? 'tally'`, sql`cross join ${tallyLines}`)}
    ) m on m.place_uid = c.floor_uid and m.at <= c.at
    group by c.floor_uid`.execute(tx)
  return new Map(rows.map(({ floorUid, people }) => [floorUid, people]))
}

interface Attendance {
  signInUid: SignInUid
  at: number
  to: string | null
}

/** Changes of the attendance of wardens, in their order. Null: out of the event. */
export async function listAttendance(tx: Tx, of: Of): Promise<Attendance[]> {
  const { rows } = await sql<Attendance>`
    select j.subject_uid as sign_in_uid, ${since(sql`j.recorded_at`)} as at, j.after ->> 'attendance' as "to"
    from event e join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid
    where ${journalOf(of)} and j.subject_type = 'sign_in' and j.action in ('warden_reported_in', 'warden_rejoined',
      'warden_not_available', 'warden_off_duty', 'warden_removed')
    order by j.xid, j.position`.execute(tx)
  return rows
}

interface Participation {
  signInUid: SignInUid
  isSiteWarden: boolean
  floorUids: FloorUid[]
}

/** The wardens of the event, each with the event's floors in their own area. */
export async function listParticipations(tx: Tx, { clientUid, eventUid }: Of): Promise<Participation[]> {
  const { rows } = await sql<Participation>`
    select si.uid as sign_in_uid, r.area_domain = 'Site' as is_site_warden,
      coalesce(array_agg(ef.floor_uid) filter (where ef.floor_uid is not null), '{}') as floor_uids
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    left join ${areaPlaces} l on l.client_uid = a.client_uid and l.assignment_uid = a.uid and r.area_domain <> 'Site'
    left join event_floor ef on ef.client_uid = si.client_uid and ef.event_uid = si.event_uid
      and (ef.floor_uid = l.floor_uid or ef.building_uid = l.whole_building_uid)
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid}
    group by si.uid, r.area_domain`.execute(tx)
  return rows
}

interface DecisionRow {
  id: string
  at: Date
  seconds: number
  action: string
  name: string | null
  role: string | null
  words: string
}

/** What someone decided, with the words that went out. */
export async function listDecisions(tx: Tx, of: Of): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select j.xid::text || '.' || j.position as id, j.recorded_at as at, ${since(sql`j.recorded_at`)} as seconds, j.action,
      p.first_name || ' ' || p.last_name as name, by.role,
      coalesce(j.after ->> 'message', sent.text, '') as words
    from event e join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid
    left join person p on p.client_uid = j.client_uid and p.uid = j.actor_person_uid
    left join ${participants} by on by.client_uid = j.client_uid and by.uid = j.actor_sign_in_uid
    left join lateral (
      select text from message m where m.client_uid = j.client_uid and m.event_uid = j.event_uid
        and m.group_uid = (j.after ->> 'group_uid')::uuid limit 1
    ) sent on j.action = 'evacuee_group_messaged'
    where ${journalOf(of)} and j.action in ('event_started', 'buildings_added', 'buildings_removed', 'drill_made_live',
      'evacuee_group_messaged', 'event_ended')
    order by j.xid, j.position limit 500`.execute(tx)
  return rows
}

/** Records that reached the server more than 30 s after they were seen. */
export async function findLate(tx: Tx, of: Of): Promise<{ records: number; longest: number }> {
  const { rows } = await sql<{ records: number; longest: number }>`
    select count(*)::int as records, coalesce(max(extract(epoch from j.recorded_at - j.observed_at)), 0)::float8 as longest
    from journal j
    where ${journalOf(of)} and j.action <> 'late_record' and j.observed_at is not null and j.recorded_at > j.observed_at + interval '30 seconds'`.execute(
    tx,
  )
  return rows[0] ?? { records: 0, longest: 0 }
}
