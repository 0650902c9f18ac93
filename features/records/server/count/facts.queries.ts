import { sql } from 'kysely'
import { isSealedLater } from '#features/log/server/sealing.queries.ts'
import type { Action } from '#kernel/actions.ts'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { areaPlaces } from '#server/wardens/warden-area.ts'

/** The event that is counted. */
export interface Of {
  clientUid: ClientUid
  eventUid: EventUid
}

/** An entry of the journal that counts. Times are seconds since the entry of the start. */
export interface Fact {
  /** Its place in the journal. */
  xid: string
  position: string
  action: string
  subject: string
  /** The participation that made it. */
  actor: SignInUid | null
  /** Made by a phone, which was in contact then. */
  byPhone: boolean
  recorded: number
  seen: number | null
  /** False: a newer record stood. */
  takesEffect: boolean
  /** Of a person: the status, and where they were recorded. Null: the place was not taken, or the entry is no status. */
  status: SafetyStatus | null
  place: string | null
  stays: boolean
  refused: boolean | null
  floorStatus: string | null
  /** A visitor comes to be accounted for. */
  joins: boolean
  /** Of actions with few entries. */
  before: JsonObject | null
  after: JsonObject | null
}

/** Entries of which an event has many: their fields are told one by one. */
const hot = ['evacuee_status_set', 'evacuee_refusal_set', 'floor_status_set'] as const
const counted = [
  ...hot,
  ...([
    'event_started',
    'buildings_added',
    'buildings_removed',
    'drill_made_live',
    'action_changed',
    'event_ended',
  ] as const),
  ...(['warden_reported_in', 'warden_rejoined', 'warden_not_available', 'warden_off_duty', 'warden_removed'] as const),
  ...(['assignment_changed', 'assignment_ended', 'floor_claimed', 'floor_given_back', 'contact_regained'] as const),
  ...([
    'self_report_made',
    'self_report_handled',
    'calls_for_help_counted',
    'instruction_sent',
    'instruction_understood',
    'service_gap',
  ] as const),
] as const

/** When the event started, as its entry says. `event.started_at` is of a moment later in the same transaction. */
export const began = ({ clientUid, eventUid }: Of) => sql`(
  select coalesce((select recorded_at from journal where client_uid = ${clientUid} and event_uid = ${eventUid} and action = 'event_started'
    order by xid, position limit 1), (select started_at from event where client_uid = ${clientUid} and uid = ${eventUid})) as at)`
const since = (at: ReturnType<typeof sql>) => sql<number>`extract(epoch from ${at} - began.at)::float8`

const pageSize = 20_000

const isCounted = sql`j.action in (${sql.join(counted.map((action) => sql.lit(action)))})`
const isHot = sql`j.action in (${sql.join(hot.map((action) => sql.lit(action)))})`
const fact = sql`j.xid::text, j.position::text, j.action, j.subject_uid as subject, j.actor_sign_in_uid as actor,
  j.session_uid is not null as by_phone, ${since(sql`j.recorded_at`)} as recorded, ${since(sql`j.observed_at`)} as seen,
  (j.after ->> 'superseded' = 'true' or j.after ->> 'overruled' = 'true') is not true as takes_effect,
  case when j.action = 'evacuee_status_set' then j.after ->> 'status' end as status,
  case when ${isHot} then coalesce(j.after ->> 'floor_uid', j.after ->> 'building_uid') end as place,
  coalesce(j.after ->> 'stays' = 'true', false) as stays, (j.after ->> 'refused')::boolean as refused,
  j.after ->> 'floor_status_uid' as floor_status,
  j.action = 'evacuee_status_set' and j.before is null as joins,
  case when not ${isHot} then j.before end as before, case when not ${isHot} then j.after end as after`
const entries = (of: Of) => sql`${began(of)} began
  join journal j on j.client_uid = ${of.clientUid} and j.event_uid = ${of.eventUid}`

/** A place in the journal. */
export type Place = Pick<Fact, 'xid' | 'position'>

/** The entries that count, behind a place if one is given, in the order of the journal. They are read once, in pages by key. */
export async function* readFacts(tx: Tx, of: Of, behind?: Place): AsyncGenerator<Fact[]> {
  let after = behind
  for (;;) {
    const { rows } = await sql<Fact>`
      select ${fact} from ${entries(of)} and ${isCounted}
      where ${after ? sql`(j.xid, j.position) > (${after.xid}::xid8, ${after.position}::bigint)` : sql`true`}
      order by j.event_uid, j.xid, j.position limit ${pageSize}`.execute(tx)
    yield rows
    after = rows.at(-1)
    if (rows.length < pageSize) return
  }
}

/** The start, in microseconds since 1970. */
export async function findBegan(tx: Tx, of: Of): Promise<number> {
  const { rows } = await sql<{ began: number }>`
    select (extract(epoch from began.at) * 1000000)::float8 as began from ${began(of)} began`.execute(tx)
  return rows[0]?.began ?? 0
}

/** Entries up to a place, but for later statuses of people and what the log wrote of itself, in the order of the journal. Null: it does not count. */
export async function listOthers(tx: Tx, of: Of, { xid, position }: Place): Promise<(Fact | null)[]> {
  const { rows } = await sql<Fact & { counts: boolean }>`
    select ${isCounted} as counts, ${fact} from ${entries(of)}
    where (j.action <> 'evacuee_status_set' or j.before is null) and ${isSealedLater} and (j.xid, j.position) <= (${xid}::xid8, ${position}::bigint)
    order by j.xid, j.position`.execute(tx)
  return rows.map(({ counts, ...row }) => (counts ? row : null))
}

/** One stay of a person in the event, from and to in seconds. */
export interface Stay {
  home: string
  homeBuilding: string
  /** Null: an older version wrote none. They joined with their building. */
  joined: number | null
  removed: number | null
  /** With the building that left. False: to take part as a warden. */
  left: boolean
}

export interface Evacuee {
  person: PersonUid
  /** As their row has it at the end. */
  status: SafetyStatus
  place: string
  refused: boolean
  isPlanned: boolean
  /** In their order. The last one is that of the row. */
  stays: Stay[]
}

/** Everyone who ever was to be accounted for, by name. No names are read. */
export async function listEvacuees(tx: Tx, of: Of): Promise<Evacuee[]> {
  const { rows } = await sql<Omit<Evacuee, 'stays'> & Stay & { earlier: Stay[] | null }>`
    select v.person_uid as person, v.status, v.place_uid as place, v.refused,
      exists (select from peep where peep.client_uid = v.client_uid and peep.person_uid = v.person_uid and peep.active) as is_planned,
      coalesce(v.home_floor_uid, v.home_building_uid) as home, v.home_building_uid as home_building,
      ${since(sql`v.joined_at`)} as joined, case when not v.active then ${since(sql`v.removed_at`)} end as removed,
      v.left_with is not null as "left",
      case when v.stays is not null then (
        select jsonb_agg(jsonb_build_object('home', coalesce(s ->> 'floor_uid', s ->> 'building_uid'), 'homeBuilding', s ->> 'building_uid',
          'joined', ${since(sql`(s ->> 'joined_at')::timestamptz`)}, 'removed', ${since(sql`(s ->> 'removed_at')::timestamptz`)},
          'left', s ->> 'left_with' is not null) order by n)
        from jsonb_array_elements(v.stays) with ordinality as s (s, n)) end as earlier
    from ${began(of)} began
    join evacuee v on v.client_uid = ${of.clientUid} and v.event_uid = ${of.eventUid}
    order by v.sort_name, v.uid`.execute(tx)
  return rows.map(({ earlier, home, homeBuilding, joined, removed, left, ...person }) => ({
    ...person,
    stays: [...(earlier ?? []), { home, homeBuilding, joined, removed, left }],
  }))
}

export interface FloorRow {
  floor: FloorUid
  name: string
  building: BuildingUid
  buildingName: string
  /** Whose name it has at the end. */
  status: string
}

/** Floors from the top down, as they were at the end. */
export async function listFloors(tx: Tx, { clientUid, eventUid }: Of): Promise<FloorRow[]> {
  const { rows } = await sql<FloorRow>`
    select ef.floor_uid as floor, f.name, ef.building_uid as building, b.name as building_name, ef.floor_status_uid as status
    from event_floor ef
    join floor f on f.client_uid = ef.client_uid and f.uid = ef.floor_uid
    join building b on b.client_uid = ef.client_uid and b.uid = ef.building_uid
    where ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid}
    order by b.name, b.uid, f.level desc, f.name, f.uid`.execute(tx)
  return rows
}

/** Buildings by name. When they joined and left is in the journal. */
export async function listBuildings(
  tx: Tx,
  { clientUid, eventUid }: Of,
): Promise<{ uid: BuildingUid; name: string }[]> {
  const { rows } = await sql<{ uid: BuildingUid; name: string }>`
    select b.uid, b.name from event_building eb join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} order by b.name, b.uid`.execute(tx)
  return rows
}

export interface StatusRow {
  uid: string
  name: string
  colour: string
  meansClear: boolean
  /** Of another action than to leave. */
  action: Action | null
  /** What floors have when people begin to do so. */
  isFirst: boolean
}

/** Statuses of floors, in their order. */
export async function listStatuses(tx: Tx, clientUid: ClientUid): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`
    select uid, name, colour, means_clear, action,
      row_number() over (partition by action order by not in_use, display_order, uid) = 1 as is_first
    from floor_status where client_uid = ${clientUid} order by display_order, uid`.execute(tx)
  return rows
}

export interface Participation {
  signIn: SignInUid
  name: string
  role: string
  /** Covers where they act. */
  isSiteWarden: boolean
  isManager: boolean
  /** Meant by what is said to any place. */
  isEverywhere: boolean
  /** The event's floors in their own area. */
  floors: FloorUid[]
  created: number
  /** Null: to the end. */
  closed: number | null
  /** When their phone was last in contact. Null: never since it is noted. */
  lastSeen: number | null
}

/** The wardens of the event. */
export async function listParticipations(tx: Tx, of: Of): Promise<Participation[]> {
  const { rows } = await sql<Participation>`
    select si.uid as sign_in, p.name, r.name as role, r.area_domain = 'Site' as is_site_warden,
      'Event_Management' = any (r.modules) as is_manager,
      r.area_domain = 'Site' or not exists (select from ${areaPlaces} l join event_building eb on eb.client_uid = l.client_uid
        and eb.event_uid = si.event_uid and eb.building_uid = l.building_uid
        where l.client_uid = a.client_uid and l.assignment_uid = a.uid) as is_everywhere,
      array(select distinct ef.floor_uid from ${areaPlaces} l join event_floor ef on ef.client_uid = l.client_uid
        and ef.event_uid = si.event_uid and (ef.floor_uid = l.floor_uid or ef.building_uid = l.whole_building_uid)
        where l.client_uid = a.client_uid and l.assignment_uid = a.uid and r.area_domain <> 'Site') as floors,
      ${since(sql`si.created_at`)} as created, ${since(sql`si.closed_at`)} as closed, ${since(sql`c.seen_at`)} as last_seen
    from ${began(of)} began
    join warden_sign_in si on si.client_uid = ${of.clientUid} and si.event_uid = ${of.eventUid}
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    left join warden_contact c on c.client_uid = si.client_uid and c.sign_in_uid = si.uid
    order by name, si.uid`.execute(tx)
  return rows
}

/** Calls for help beyond the limit of a network that are in no entry of the journal: those of the last minute. */
export async function countUntoldCalls(tx: Tx, { clientUid, eventUid }: Of): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(count - told), 0)::int as calls from self_report_more
    where client_uid = ${clientUid} and event_uid = ${eventUid}`.execute(tx)
  return rows[0]?.calls ?? 0
}

/** The instructions of the event, with the floors that they are for. Null: all. */
export async function listInstructions(tx: Tx, { clientUid, eventUid }: Of): Promise<Map<string, string[] | null>> {
  const { rows } = await sql<{ uid: string; floors: string[] | null }>`
    select uid, floors from instruction where client_uid = ${clientUid} and event_uid = ${eventUid}`.execute(tx)
  return new Map(rows.map(({ uid, floors }) => [uid, floors]))
}
