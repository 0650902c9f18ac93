import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid, ReachUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { TextState } from '#kernel/kinds.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { isHidden, isQuiet } from '#server/wardens/building-action.ts'
import { areaRow } from '#server/wardens/warden-area.ts'
import { againSeconds, type ReachClass, type ReachList, type ReachState, type Way } from '../kinds.ts'
import { failedWays } from './begin.queries.ts'

export interface EventOf {
  clientUid: ClientUid
  eventUid: EventUid
}

export async function findRunning(db: Db, clientUid: ClientUid, siteUid: SiteUid): Promise<EventUid | undefined> {
  const row = await db
    .selectFrom('event')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('siteUid', '=', siteUid)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return row?.uid as EventUid | undefined
}

export interface CountRow {
  class: ReachClass
  state: ReachState
  count: number
}

export async function countReaches(db: Db, { clientUid, eventUid }: EventOf): Promise<CountRow[]> {
  const { rows } = await sql<CountRow>`
    select class, state, count(*)::int as count from reach
    where client_uid = ${clientUid} and event_uid = ${eventUid} and state <> 'over' group by class, state`.execute(db)
  return rows
}

export interface PersonRow {
  uid: ReachUid
  name: string
  mobile: string | null
  isWarden: boolean
  areas: string[] | null
  floorName: string | null
  buildingName: string | null
  askedAt: Date
  answeredAt: Date | null
  spokenBy: string | null
  againFrom: Date | null
}

const statesOf: Record<ReachList, ReachState> = { reached: 'answered', trying: 'going', not_reached: 'used_up' }

interface Page {
  reachClass: ReachClass
  list: ReachList
  after: ReachUid | undefined
  most: number
}

/** People of one class and list by name, after the given one. */
export async function listPeople(
  db: Db,
  { clientUid, eventUid }: EventOf,
  { reachClass, list, after, most }: Page,
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    with after as (
      select ${nameInOrder} as sort_name, one.uid from reach one
      join person p on p.client_uid = one.client_uid and p.uid = one.person_uid
      where one.client_uid = ${clientUid} and one.event_uid = ${eventUid} and one.uid = ${after ?? null}
    )
    select one.uid, p.name, p.mobile, one.sign_in_uid is not null as is_warden,
      case when r.area_domain = 'Site' then array[st.name] else area.names end as areas, f.name as floor_name, b.name as building_name,
      one.asked_at, one.answered_at, s.name as spoken_by,
      case when one.again_at > now() - make_interval(secs => ${againSeconds}) then one.again_at + make_interval(secs => ${againSeconds}) end as again_from
    from reach one
    join person p on p.client_uid = one.client_uid and p.uid = one.person_uid
    left join person s on s.client_uid = one.client_uid and s.uid = one.answered_by_person_uid
    left join warden_sign_in si on si.client_uid = one.client_uid and si.uid = one.sign_in_uid
    left join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    left join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    left join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    left join ${areaRow()} on true
    left join evacuee e on one.sign_in_uid is null and e.client_uid = one.client_uid and e.event_uid = one.event_uid
      and e.person_uid = one.person_uid and e.active
    left join floor f on f.client_uid = e.client_uid and f.uid = e.floor_uid
    left join building b on b.client_uid = e.client_uid and b.uid = e.building_uid
    where one.client_uid = ${clientUid} and one.event_uid = ${eventUid} and one.class = ${reachClass} and one.state = ${statesOf[list]}
      and (${after ?? null}::uuid is null or (${nameInOrder}, one.uid) > (select sort_name, uid from after))
    order by ${nameInOrder}, one.uid limit ${most}`.execute(db)
  return rows
}

/** A position in a list of the event. */
export async function isOfEvent(db: Db, { clientUid, eventUid }: EventOf, uid: ReachUid): Promise<boolean> {
  const row = await db
    .selectFrom('reach')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return row !== undefined
}

export interface TryRow {
  reachUid: ReachUid
  way: Way
  state: TextState
  at: Date
  reason: string | null
  /** The key that was pressed in a call. */
  digit: string | null
}

/** Texts, and ways that could not be tried, the oldest first. */
export async function listTries(db: Db, clientUid: ClientUid, uids: readonly ReachUid[]): Promise<TryRow[]> {
  const of = sql`client_uid = ${clientUid} and reach_uid = any (${uids}::uuid[])`
  const { rows } = await sql<TryRow>`
    select reach_uid, case when exists (select from reach r join person p on p.client_uid = r.client_uid and p.uid = r.person_uid
        where r.client_uid = sms.client_uid and r.uid = sms.reach_uid and p.second_mobile = sms.to_mobile) then 'second_text' else 'text' end as way,
      status as state, changed_at as at, reason, null as digit, created_at from sms where ${of}
    union all select reach_uid, way, status, changed_at, reason, digit, created_at from ring where ${of}
    order by created_at, way`.execute(db)
  return rows
}

/** Mails to them. Only the system reads mails. */
export async function listMails(system: Db, uids: readonly ReachUid[]): Promise<TryRow[]> {
  const { rows } = await sql<TryRow>`
    select reach_uid, 'mail' as way, status as state, changed_at as at, reason, null as digit from mail
    where reach_uid = any (${uids}::uuid[]) order by created_at`.execute(system)
  return rows
}

export interface OneReach {
  uid: ReachUid
  personUid: PersonUid
  signInUid: SignInUid | null
  state: ReachState
  isTriedLately: boolean
  isQuiet: boolean
}

/** A reach of the event, held until the end of the transaction. */
export async function lockReach(
  tx: Tx,
  { clientUid, eventUid }: EventOf,
  uid: ReachUid,
): Promise<OneReach | undefined> {
  const { rows } = await sql<OneReach>`
    select one.uid, one.person_uid, one.sign_in_uid, one.state,
      coalesce(one.again_at > now() - make_interval(secs => ${againSeconds}), false) as is_tried_lately,
      case when one.sign_in_uid is not null then ${isHidden} else ${isOccupantHidden} end as is_quiet
    from reach one
    left join warden_sign_in si on si.client_uid = one.client_uid and si.uid = one.sign_in_uid
    left join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    left join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where one.client_uid = ${clientUid} and one.event_uid = ${eventUid} and one.uid = ${uid}
    for update of one`.execute(tx)
  return rows[0]
}

const isOccupantHidden: RawBuilder<boolean> = sql`exists (select from evacuee v
  join event_building eb on eb.client_uid = v.client_uid and eb.event_uid = v.event_uid and eb.building_uid = v.building_uid and eb.active
  where v.client_uid = one.client_uid and v.event_uid = one.event_uid and v.person_uid = one.person_uid and ${isQuiet})`

/** All steps from the first one. Ways that have failed before bring none of them forward. */
export async function beginAgain(tx: Tx, { clientUid }: EventOf, uid: ReachUid): Promise<void> {
  await sql`
    update reach set state = 'going', step = 0, began_at = ${steadyNow}, next_at = ${steadyNow}, again_at = now(), is_texted = false,
      is_second = false, failed = ${failedWays}
    where client_uid = ${clientUid} and uid = ${uid}`.execute(tx)
}

export async function markSpoken(tx: Tx, { clientUid }: EventOf, uid: ReachUid, by: PersonUid): Promise<void> {
  await sql`
    update reach set state = 'answered', answered_at = now(), answered_by_person_uid = ${by}
    where client_uid = ${clientUid} and uid = ${uid}`.execute(tx)
}

/** Wardens who have answered no step, each once, and since when the first of them has not. */
export async function countNotReached(
  db: Db,
  { clientUid, eventUid }: EventOf,
): Promise<{ wardens: number; since: Date | null }> {
  const { rows } = await sql<{ wardens: number; since: Date | null }>`
    select count(distinct person_uid)::int as wardens, min(next_at) as since from reach
    where client_uid = ${clientUid} and event_uid = ${eventUid} and state = 'used_up' and sign_in_uid is not null`.execute(
    db,
  )
  return rows[0] ?? { wardens: 0, since: null }
}
