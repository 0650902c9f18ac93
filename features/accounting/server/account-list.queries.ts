import { type RawBuilder, sql } from 'kysely'
import type { UnknownCause } from '#features/board/kinds.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { ClientUid, EvacueeUid, EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Grade } from '../kinds.ts'
import { causedIn } from './causes.queries.ts'

export interface EventOf {
  clientUid: ClientUid
  eventUid: EventUid
}

export interface AccountedRow {
  uid: EvacueeUid
  personUid: PersonUid
  name: string
  buildingName: string
  floorName: string | null
  floorUid: FloorUid | null
  mobile: string | null
  smsRefused: boolean
  status: SafetyStatus
  onFloor: boolean
  refused: boolean
  visitor: boolean
  plan: boolean
  unread: boolean
  grade: Grade
  byName: string | null
  byRole: string | null
  at: Date | null
  /** The status is own word by page. */
  ownPage: boolean
  ownCall: boolean
  /** Of someone in danger: where they are, as they said on their own page. */
  said: string | null
  cause: UnknownCause | null
}

/** The name of person `p` and the role in which they take, or took, part in the event: a from-item `w`. */
export const wardenOf = (clientUid: string, eventUid: string, personUid: RawBuilder<unknown>) => sql`
  lateral (
    select p.name, (
      select r.name from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.person_uid = p.uid
      order by si.on_duty desc, si.on_duty_at desc nulls last limit 1
    ) as role
    from person p where p.client_uid = ${clientUid} and p.uid = ${personUid}
  ) w`

/** A status that no one recorded has no source. */
const grade = sql`case
  when e.status_at is null then 'none'
  when greatest(e.text_status_at, e.self_status_at) = e.status_at then 'own'
  when e.place_seen_at >= e.status_observed_at then 'seen'
  else 'told' end`

/** These rows, in the given order, with source and cause. `offset 0`: each message and number is looked up by its index. */
export async function listAccountedRows(db: Db, of: EventOf, uids: readonly EvacueeUid[]): Promise<AccountedRow[]> {
  const { clientUid, eventUid } = of
  const { rows } = await sql<AccountedRow>`
    with ${causedIn({ ...of, uids })}
    select e.uid, e.person_uid, who.name, b.name as building_name, f.name as floor_name,
      e.floor_uid, who.mobile, exists (select from sms_refusal x where x.mobile = who.mobile offset 0) as sms_refused,
      e.status, e.on_floor, e.refused, e.visitor,
      exists (select from peep pe where pe.client_uid = e.client_uid and pe.person_uid = e.person_uid and pe.active) as plan,
      exists (select from message m where m.client_uid = e.client_uid and m.event_uid = e.event_uid and m.evacuee_uid = e.uid
        and m.direction = 'in' and m.read_at is null offset 0) as unread,
      ${grade} as grade, w.name as by_name, w.role as by_role, e.status_observed_at as at,
      coalesce(e.self_status_at = e.status_at, false) as own_page, e.own_call, said.words as said, c.cause
    from unnest(${uids}::uuid[]) with ordinality as wanted (uid, n)
    join evacuee e on e.client_uid = ${clientUid} and e.uid = wanted.uid
    join person who on who.client_uid = e.client_uid and who.uid = e.person_uid
    join building b on b.client_uid = e.client_uid and b.uid = e.building_uid
    left join floor f on f.client_uid = e.client_uid and f.uid = e.floor_uid
    left join caused c on c.uid = e.uid
    left join lateral (
      select concat_ws(': ', coalesce(b.name || ' - ' || f.name, b.name), r.words) as words
      from self_report r
      left join building b on b.client_uid = r.client_uid and b.uid = r.building_uid
      left join floor f on f.client_uid = r.client_uid and f.uid = r.floor_uid
      where r.client_uid = e.client_uid and r.event_uid = e.event_uid and r.evacuee_uid = e.uid and r.way = 'link' and r.status = 'help'
        and (r.words is not null or r.building_uid is not null)
      order by r.at desc limit 1
    ) said on e.status = 'danger'
    left join ${wardenOf(clientUid, eventUid, sql`e.status_by_person_uid`)} on e.status_at is not null
    order by wanted.n`.execute(db)
  return rows
}

/** People with an active PEEP who are not yet safe, by name. */
export async function listPlannedInside(
  db: Db,
  { clientUid, eventUid }: EventOf,
  { placeUid, after, limit }: { placeUid: PlaceUid | null; after: EvacueeUid | null; limit: number },
): Promise<EvacueeUid[]> {
  const { rows } = await sql<{ uid: EvacueeUid }>`
    select e.uid from peep pe
    join evacuee e on e.client_uid = pe.client_uid and e.event_uid = ${eventUid} and e.person_uid = pe.person_uid and e.active
    where pe.client_uid = ${clientUid} and pe.active and e.status <> 'safe'
      ${placeUid ? sql`and e.place_uid = ${placeUid}` : sql``}
      ${after ? sql`and (e.sort_name, e.uid) > (select sort_name, uid from evacuee where client_uid = ${clientUid} and uid = ${after})` : sql``}
    order by e.sort_name, e.uid limit ${limit}`.execute(db)
  return rows.map(({ uid }) => uid)
}

/** The moment in the database's steady time, which is that of all times of people. */
export async function readSteadyNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select steady_now() as at`.execute(db)
  return (rows[0] as { at: Date }).at
}
