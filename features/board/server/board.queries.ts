import { sql } from 'kysely'
import { countByPlace } from '#features/accounting/server/counts.queries.ts'
import { eventTallies, type PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { Action } from '#kernel/actions.ts'
import type { BuildingUid, ClientUid, EventUid, FloorStatusUid, SiteUid } from '#kernel/ids.ts'
import type { EventKind, StatusCounts } from '#kernel/vocabulary.ts'
import { type Db, readIn, type Tx } from '#server/platform/db/db.ts'
import { journalHorizon } from '#server/platform/db/journal-horizon.ts'
import { eventWord } from '#server/wardens/event-name.ts'
import { floorCoverage } from '#server/wardens/floor-coverage.ts'
import type { BoardSource } from '../kinds.ts'

/** The event that a board shows. */
export interface BoardOf {
  clientUid: ClientUid
  eventUid: EventUid
}

export const keyOf = ({ clientUid, eventUid }: BoardOf) => `${clientUid}/${eventUid}`

/** Reads of the event that show one moment, whatever is written meanwhile. */
export const ofOneMoment = <T>(db: Db, { clientUid }: BoardOf, read: (tx: Tx) => Promise<T>): Promise<T> =>
  readIn(db, [clientUid], read, 'one snapshot')

/** The time of the transaction, by the clock of the board's other times. */
async function readSteadyNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select steady_now() as at`.execute(tx)
  return (rows[0] as { at: Date }).at
}

/** Seconds since the event began. */
type Seconds = number

/** Who looks after a floor, or after a building that is covered whole. */
interface Cover {
  wardens: number
  gap: Seconds | null
  claimed: boolean
  offered: Seconds | null
}

export interface PlaceRow extends StatusCounts, Cover {
  uid: PlaceUid
  buildingUid: BuildingUid
  /** Null, as name and status, for the row of people without a floor. */
  level: number | null
  name: string | null
  statusUid: FloorStatusUid | null
  since: Seconds | null
  by: BoardSource | null
  refused: number
  dangerAt: Seconds | null
}

export interface BoardRow {
  at: Date
  horizon: string
  siteUid: SiteUid
  siteName: string
  timezone: string
  type: string
  kind: EventKind
  beganAt: Date
  coverageMinutes: number
  /** In their order. */
  statuses: { uid: FloorStatusUid; name: string; colour: string; meansClear: boolean; isFirst: boolean }[]
  /** By name. */
  buildings: ({
    uid: BuildingUid
    name: string
    whole: boolean
    action: Action
    where: string
    /** As JSON has it. */
    from: string
    before: Action | null
  } & Cover)[]
  /** In the order of the board: by building, the highest first, people without a floor last. */
  places: PlaceRow[]
}

const seconds = (at: string) => sql.raw(`floor(extract(epoch from ${at} - (select began_at from event_in)))::int`)

const cover = sql`'wardens', coalesce(v.wardens, 0), 'gap', ${seconds('v.gap_since')}, 'claimed', coalesce(v.claimed, false),
  'offered', ${seconds('v.offered_at')}`

/** A claimant whose own assignment is of the place counts once. With a null in it, a key would be compared with each of the list. */
const isOwnClaim = sql`
  case when c.claimed_by_uid is null then false else (c.claimed_by_uid, c.place_uid) in (select sign_in_uid, place_uid from post) end`

/**
 * Everything that may not contradict itself, of one moment. A board that was put together from several
 * statements could show someone on two floors or on none. Undefined if the event has gone.
 */
export async function findBoard(tx: Tx, { clientUid, eventUid }: BoardOf): Promise<BoardRow | undefined> {
  const { rows } = await sql<BoardRow>`
    with event_in as (
      -- a whole second, so that each time that is counted from it falls into its own minute
      select date_trunc('second', e.began_at) as began_at, e.kind, e.site_uid, st.name as site_name, st.timezone, ${eventWord} as type, c.coverage_minutes
      from event e
      join client c on c.uid = e.client_uid
      join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
      join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
      where e.client_uid = ${clientUid} and e.uid = ${eventUid}
    ), building_in as materialized (
      select b.uid, b.name, eb.action, eb.action_where, coalesce(eb.action_from, eb.added_at) as action_from, eb.action_before
      from event_building eb
      join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
      where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
    ), status as (
      select uid, name, colour, means_clear, display_order,
        in_use and display_order = (select min(display_order) from floor_status o
          where o.client_uid = ${clientUid} and o.in_use and o.action is not distinct from s.action) as is_first
      from floor_status s where client_uid = ${clientUid}
        and (action is null or action in (select action from building_in))
    ), ${floorCoverage({ clientUid, eventUid })}, covered as (
      -- by place: a floor, or a building with the wardens of all of it
      select b.uid as place_uid, c.place_uid is not null as whole, c.gap_since, c.claim_uid is not null as claimed,
        coalesce(w.own_on_duty, 0) as own_on_duty, ${isOwnClaim} as is_own_claim
      from building_in b
      left join coverage c on c.place_uid = b.uid
      left join (select place_uid, count(*) filter (where on_duty) as own_on_duty from post group by place_uid) w
        on w.place_uid = b.uid
      union all
      select c.place_uid, false, c.gap_since, c.claim_uid is not null, c.own_on_duty, ${isOwnClaim}
      from coverage c where c.floor_uid is not null
    ), cover as (
      select v.*, v.own_on_duty + (v.claimed and not v.is_own_claim)::int as wardens,
        o.offered_at
      from covered v
      left join floor_offer o on o.client_uid = ${clientUid} and o.event_uid = ${eventUid} and o.place_uid = v.place_uid
        and o.answered_at is null and o.ends_at > now()
    ), ${statusSources({ clientUid, eventUid })}, floor_in as (
      select f.uid, b.uid as building_uid, b.name as building_name, f.level, f.name, ef.floor_status_uid,
        case when ef.updated_by_person_uid is not null then coalesce(ef.observed_at, ef.updated_at) end as since,
        ${setBy} as set_by
      from building_in b
      join event_floor ef on ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid} and ef.building_uid = b.uid
      -- looked up one by one, also by a plan that was made when there were few
      cross join lateral (select uid, level, name from floor where client_uid = ef.client_uid and uid = ef.floor_uid offset 0) f
    ), counted as (
      -- a place that is no floor of the event counts with the people without a floor: the rows add up to the building
      select coalesce(f.uid, b.uid) as uid, sum(t.safe) as safe, sum(t.unknown) as unknown, sum(t.danger) as danger,
        sum(t.refusals) as refused
      from ${eventTallies({ clientUid, eventUid })}
      join building_in b on b.uid = t.building_uid
      left join floor_in f on f.uid = t.place_uid
      group by coalesce(f.uid, b.uid)
    ), place_in as (
      select * from floor_in
      union all
      select uid, uid, name, null, null, null, null, null from building_in
    )
    select steady_now() as at, ${journalHorizon}::text as horizon,
      site_uid, site_name, timezone, type, kind, began_at, coverage_minutes,
      (select json_agg(json_build_object('uid', uid, 'name', name, 'colour', colour, 'meansClear', means_clear,
        'isFirst', is_first) order by display_order, uid) from status) as statuses,
      (select coalesce(json_agg(json_build_object('uid', b.uid, 'name', b.name, 'whole', v.whole,
          'action', b.action, 'where', b.action_where, 'from', b.action_from, 'before', b.action_before, ${cover})
          order by b.name, b.uid), '[]')
        from building_in b join cover v on v.place_uid = b.uid) as buildings,
      (select coalesce(json_agg(json_build_object('uid', p.uid, 'buildingUid', p.building_uid, 'level', p.level,
          'name', p.name, 'statusUid', p.floor_status_uid, 'since', ${seconds('p.since')}, 'by', p.set_by,
          'safe', coalesce(c.safe, 0), 'unknown', coalesce(c.unknown, 0), 'danger', coalesce(c.danger, 0),
          'refused', coalesce(c.refused, 0), 'dangerAt', ${seconds('d.newest')}, ${cover})
        order by p.building_name, p.building_uid, p.level desc nulls last, p.name, p.uid), '[]')
        from place_in p
        left join counted c on c.uid = p.uid
        left join cover v on v.place_uid = p.uid and p.level is not null
        left join lateral (
          select max(coalesce(v.status_observed_at, v.status_at)) as newest from evacuee v
          where v.client_uid = ${clientUid} and v.event_uid = ${eventUid} and v.place_uid = p.uid and v.active
            and v.status = 'danger' and c.danger > 0
        ) d on true) as places
    from event_in`.execute(tx)
  return rows[0]
}

/** What a place has that may be up to 10 s older than the rest. */
export type SlowPlace = Awaited<ReturnType<typeof countByPlace>>[number]

export interface SlowPart {
  at: Date
  places: ReadonlyMap<PlaceUid, SlowPlace>
}

/** Plans, messages, texts, own words and causes of the event, all of one moment. */
export const readSlowPart = (db: Db, of: BoardOf): Promise<SlowPart> =>
  ofOneMoment(db, of, async (tx) => {
    const counts = await countByPlace(tx, of.clientUid, of.eventUid)
    return { at: await readSteadyNow(tx), places: new Map(counts.map((place) => [place.placeUid, place])) }
  })

/**
 * Parts of a `with` that tell who set the status of a floor: its own wardens, its claimants, event managers. `offset 0`:
 * looked up one by one, also by a plan that was made when there were few.
 */
export const statusSources = ({ clientUid, eventUid }: BoardOf) => sql`
    own_post as (
      select si.person_uid, al.floor_uid
      from warden_sign_in si
      cross join lateral (
        select floor_uid from assignment_location
        where client_uid = si.client_uid and assignment_uid = si.assignment_uid and floor_uid is not null offset 0) al
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid}
    ), claimant as (
      -- a claim counts for what its holder recorded meanwhile, also when it has ended
      select si.person_uid, c.floor_uid
      from floor_claim c
      cross join lateral (select person_uid from warden_sign_in where client_uid = c.client_uid and uid = c.sign_in_uid offset 0) si
      cross join lateral (
        select updated_at from event_floor
        where client_uid = c.client_uid and event_uid = c.event_uid and floor_uid = c.floor_uid offset 0) ef
      where c.client_uid = ${clientUid} and c.event_uid = ${eventUid}
        and ef.updated_at between c.claimed_at and coalesce(c.ended_at, 'infinity')
    ), manager as (
      select si.person_uid
      from warden_sign_in si
      cross join lateral (
        select * from warden_assignment where client_uid = si.client_uid and uid = si.assignment_uid offset 0) a
      cross join lateral (select * from warden_role where client_uid = a.client_uid and uid = a.role_uid offset 0) r
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and 'Event_Management' = any (r.modules)
    )`

/**
 * Null for the own warden or claimant of floor `ef`, and before the first change. Lists that are hashed whatever the statistics are:
 * joined, each floor was compared with each warden's floor.
 */
export const setBy = sql<BoardSource | null>`
  case when ef.updated_by_person_uid is null
      or (ef.updated_by_person_uid, ef.floor_uid) in (select person_uid, floor_uid from own_post)
      or (ef.updated_by_person_uid, ef.floor_uid) in (select person_uid, floor_uid from claimant) then null
    when ef.updated_by_person_uid in (select person_uid from manager) then 'm' else 'b' end`
