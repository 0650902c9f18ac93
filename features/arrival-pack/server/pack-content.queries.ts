import { type RawBuilder, sql } from 'kysely'
import type { OwnWay } from '#features/accounting/kinds.ts'
import type { Action } from '#kernel/actions.ts'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { isInEvent, wasOnDutyAtEnd } from '#server/wardens/event-end.ts'
import { assignmentIsCurrent } from '#server/wardens/live-session.ts'

interface OfEvent {
  clientUid: ClientUid
  eventUid: EventUid
}

export interface PackEvent {
  /** The moment of the snapshot, by the database's clock. */
  at: Date
  type: string
  kind: EventKind
  site: string
  timezone: string
  beganAt: Date
  endedAt: Date | null
}

export async function getPackEvent(tx: Tx, { clientUid, eventUid }: OfEvent): Promise<PackEvent> {
  const { rows } = await sql<PackEvent>`
    select now() as at, et.type, e.kind, st.name as site, st.timezone, e.started_at as began_at, e.ended_at
    from event e
    join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}`.execute(tx)
  return rows[0] as PackEvent
}

export interface PlaceRow {
  buildingUid: BuildingUid
  building: string
  /** Null: the people of the building who are on none of its floors. */
  floorUid: FloorUid | null
  floor: string
  action: Action
  actionWhere: string
  actionFrom: Date
  actionBefore: Action | null
  status: string | null
  isClear: boolean
  /** Null before the first change. */
  statusAt: Date | null
  role: string | null
}

/** The role in which a person took part in event `of` last. */
const roleIn = (personUid: RawBuilder<unknown>, { clientUid, eventUid }: OfEvent) => sql`
  (select r.name from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.person_uid = ${personUid}
    order by si.closed_at is null desc, si.created_at desc limit 1)`

/** The buildings of the event, or that it had when it ended, by name, their floors from the highest down, and last who is on none of them. */
export async function listPlaceRows(tx: Tx, of: OfEvent): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select b.uid as building_uid, b.name as building, eb.action, eb.action_where, coalesce(eb.action_from, eb.added_at) as action_from,
      eb.action_before, pl.floor_uid, pl.floor, pl.status, pl.is_clear, pl.status_at, pl.role
    from event_building eb
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    cross join lateral (
      select f.uid as floor_uid, f.name as floor, f.level, fs.name as status, fs.means_clear as is_clear,
        case when ef.updated_by_person_uid is not null then coalesce(ef.observed_at, ef.updated_at) end as status_at,
        ${roleIn(sql`ef.updated_by_person_uid`, of)} as role
      from event_floor ef
      join floor f on f.client_uid = ef.client_uid and f.uid = ef.floor_uid
      join floor_status fs on fs.client_uid = ef.client_uid and fs.uid = ef.floor_status_uid
      where ef.client_uid = eb.client_uid and ef.event_uid = eb.event_uid and ef.building_uid = eb.building_uid
      union all
      select null, 'No floor', null, null, false, null, null
    ) pl
    where eb.client_uid = ${of.clientUid} and eb.event_uid = ${of.eventUid} and ${isInEvent(of)}
    order by b.name, b.uid, pl.level desc nulls last, pl.floor`.execute(tx)
  return rows
}

const placeOf = sql`b.name || coalesce(', ' || f.name, '')`
const inPlaces = sql`
  join building b on b.client_uid = v.client_uid and b.uid = v.building_uid
  left join floor f on f.client_uid = v.client_uid and f.uid = v.floor_uid`

export interface DangerRow {
  place: string
  personUid: PersonUid
  name: string
  at: Date | null
  byUid: PersonUid | null
  by: string | null
  role: string | null
  /** By their own text or page. */
  ownWord: OwnWay | null
}

/** People in danger, those seen last first. */
export async function listInDanger(tx: Tx, of: OfEvent, most: number): Promise<DangerRow[]> {
  const { rows } = await sql<DangerRow>`
    select ${placeOf} as place, p.uid as person_uid, p.name, coalesce(v.status_observed_at, v.status_at) as at,
      w.uid as by_uid, w.name as by, ${roleIn(sql`v.status_by_person_uid`, of)} as role,
      case when v.self_status_at = v.status_at then 'page' when v.text_status_at = v.status_at then 'text' end as own_word
    from evacuee v
    join person p on p.client_uid = v.client_uid and p.uid = v.person_uid
    ${inPlaces}
    left join person w on w.client_uid = v.client_uid and w.uid = v.status_by_person_uid
    where v.client_uid = ${of.clientUid} and v.event_uid = ${of.eventUid} and v.active and v.status = 'danger'
    order by at desc nulls last, v.uid limit ${most}`.execute(tx)
  return rows
}

export interface HelpRow {
  /** Never on the page. */
  personUid: PersonUid
  planUid: string
  place: string
  /** Null if it is not shared. Then it never leaves the database. */
  assistance: string | null
  /** `assistance` is only the beginning of what stands in the plan. */
  isCut: boolean
  status: 'unknown' | 'danger'
  /** Null: no one has seen the person since the event began. */
  seenAt: Date | null
}

/** Characters of `assistance` that a line shows. */
const longestHelp = 300

/** Of plan `q` of organisation `c`. */
const sharing = (isShared: boolean) => sql`
    cross join lateral (
      select case when ${isShared} and coalesce(q.fire_service, c.share_plans = 'unless no') then nullif(q.assistance, '') end as words
    ) shared`
const sharedWords = sql`left(shared.words, ${longestHelp}) as assistance, coalesce(length(shared.words) > ${longestHelp}, false) as is_cut`

/** People with a plan who are not safe, by place. Neither name nor disability is read. */
export async function listHelp(tx: Tx, of: OfEvent, isShared: boolean): Promise<HelpRow[]> {
  const { rows } = await sql<HelpRow>`
    select v.person_uid, q.uid as plan_uid, ${placeOf} as place, v.status, coalesce(v.place_seen_at, v.status_observed_at) as seen_at,
      ${sharedWords}
    from evacuee v
    join peep q on q.client_uid = v.client_uid and q.person_uid = v.person_uid and q.active
    join client c on c.uid = v.client_uid
    ${sharing(isShared)}
    ${inPlaces}
    where v.client_uid = ${of.clientUid} and v.event_uid = ${of.eventUid} and v.active and v.status <> 'safe'
    order by b.name, b.uid, f.level desc nulls last, f.name, v.status, v.uid`.execute(tx)
  return rows
}

type HelpWords = Pick<HelpRow, 'planUid' | 'assistance' | 'isCut'>

/** The words of plans that may have ended since, unless the person says no by now. A plan that is deleted has none. */
export async function listHelpWords(
  tx: Tx,
  clientUid: ClientUid,
  planUids: readonly string[],
  isShared: boolean,
): Promise<HelpWords[]> {
  const { rows } = await sql<HelpWords>`
    select q.uid as plan_uid, ${sharedWords}
    from peep q
    join client c on c.uid = q.client_uid
    ${sharing(isShared)}
    where q.client_uid = ${clientUid} and q.uid = any (${planUids}::uuid[])
      and not exists (select from peep n where n.client_uid = q.client_uid and n.person_uid = q.person_uid and n.active and not n.fire_service)`.execute(
    tx,
  )
  return rows
}

export interface ContactRow {
  personUid: PersonUid
  name: string
  role: string
  mobile: string | null
  /** How many there are in all. */
  ofAll: number
}

/** Event managers on duty, or who were when the event ended, longest first. */
export async function listContacts(tx: Tx, of: OfEvent, most: number): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select p.uid as person_uid, p.name, r.name as role, p.mobile, count(*) over ()::int as of_all
    from warden_sign_in si
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where si.client_uid = ${of.clientUid} and si.event_uid = ${of.eventUid}
      and (si.on_duty and ${assignmentIsCurrent} or ${wasOnDutyAtEnd(of)}) and 'Event_Management' = any (r.modules)
    order by si.on_duty_at, si.uid limit ${most}`.execute(tx)
  return rows
}
