import { sql } from 'kysely'
import type { ContradictionKind } from '#features/board/kinds.ts'
import { hasUnsettled, type PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { ClientUid, EvacueeUid, EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { isLeaving } from '#server/wardens/building-action.ts'

/** Two records that cannot both be complete. */
export interface Contradiction {
  kind: ContradictionKind
  /** The floor, or the person. */
  subject: FloorUid | PersonUid
  placeUid: PlaceUid
  /** When the floor was cleared; of a person, when they were seen in danger. */
  first: Date
  /** When the newest of the people there was recorded; of a person, when they were said to be safe. Null: no one was recorded. */
  second: Date | null
  /** The times of both records, and of how many people. Anyone who keeps a contradiction names the state that they read. */
  state: string
  /** How many people it is about, and the newest 20 of them: rows of the event. */
  count: number
  uids: EvacueeUid[]
}

/**
 * The part `contradiction` of a statement: all of an event, also those that someone keeps.
 *
 * 1. `cleared`: floors whose status means clear, with the time of the sweep, and on which someone is not safe, or refused to leave.
 *    Where people stay, who is recorded since is where they should be.
 * 2. `here`: people there who contradict it, floor by floor (`offset 0`): joined, all people of the event were read. Who refused is
 *    asked of the journal, because a refusal moves no time of the person.
 * 3. `found`, `of_floor`: one row per floor and kind, with the newest people. A danger recorded since is a danger, not someone
 *    recorded since, too. Anyone who is safe is looked for no more: marked safe after the sweep, as on every floor, contradicts nothing.
 * 4. `of_person`: what the statements that record have found. The row holds the record that stands, and the time of the other.
 */
const contradictionsIn = (clientUid: ClientUid, eventUid: EventUid) => sql`
    cleared as (
      select ef.floor_uid, coalesce(ef.observed_at, ef.updated_at) as cleared_at, ${isLeaving} as is_leaving
      from event_floor ef
      join floor_status s on s.client_uid = ef.client_uid and s.uid = ef.floor_status_uid and s.means_clear
      join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
        and eb.building_uid = ef.building_uid and eb.active
      where ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid}
        and ${hasUnsettled({ clientUid, eventUid }, sql.ref('ef.floor_uid'))}
    ), planned as (
      select person_uid from peep where client_uid = ${clientUid} and active
    ), refusal as (
      select subject_uid as person_uid, max(recorded_at) as refused_at from journal
      where event_uid = ${eventUid} and client_uid = ${clientUid} and action = 'evacuee_refusal_set' and after->>'refused' = 'true'
      group by subject_uid
    ), here as (
      select c.floor_uid, c.cleared_at, e.status = 'danger' as is_danger, e.refused,
        e.status = 'unknown' and e.person_uid in (select person_uid from planned) as is_planned,
        e.status = 'unknown' and e.place_seen_at > c.cleared_at and c.is_leaving as is_seen,
        e.uid, e.person_uid, e.status_observed_at, e.place_seen_at, greatest(e.status_observed_at, e.place_seen_at) as seen_at, greatest(e.status_at, e.place_seen_at) as told_at
      from cleared c
      cross join lateral (
        select * from evacuee
        where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = c.floor_uid and active
          and (status <> 'safe' or refused)
        offset 0) e
    ), found as (
      select k.kind, h.floor_uid, h.cleared_at, h.uid, k.seen_at, k.told_at
      from here h
      left join refusal r on h.refused and r.person_uid = h.person_uid
      cross join lateral (values ('cleared_danger', h.is_danger, h.status_observed_at, h.told_at),
        ('cleared_plan', h.is_planned, h.seen_at, h.told_at), ('cleared_refusal', h.refused, r.refused_at, r.refused_at),
        ('cleared_seen', h.is_seen, h.place_seen_at, h.told_at))
        as k (kind, holds, seen_at, told_at)
      where (h.is_danger or h.refused or h.is_planned or h.is_seen) and k.holds
    ), of_floor as (
      select kind, floor_uid as subject, floor_uid as place_uid, cleared_at as first, max(seen_at) as second,
        cleared_at as against, max(told_at) as told_at, count(*) as people,
        (array_agg(uid order by told_at desc nulls last, uid))[:20] as uids
      from found group by kind, floor_uid, cleared_at
    ), of_person as (
      select dispute as kind, person_uid as subject, place_uid,
        case status when 'danger' then status_observed_at else dispute_at end as first,
        case status when 'danger' then dispute_at else status_observed_at end as second,
        dispute_at as against, status_observed_at as told_at, 1 as people, array[uid] as uids
      from evacuee
      where client_uid = ${clientUid} and event_uid = ${eventUid} and active and dispute is not null
    ), contradiction as (
      select kind, subject, place_uid, first, second, people::int as count, uids,
        concat_ws('.', (extract(epoch from against) * 1000000)::bigint, (extract(epoch from told_at) * 1000000)::bigint, people) as state
      from (select * from of_floor union all select * from of_person) both_kinds
    )`

/** Those that no one keeps in the state in which they are, the oldest first. */
export async function listContradictions(db: Db, clientUid: ClientUid, eventUid: EventUid): Promise<Contradiction[]> {
  const { rows } = await sql<Contradiction>`
    with ${contradictionsIn(clientUid, eventUid)}
    select c.* from contradiction c
    where not exists (select from contradiction_kept k where k.client_uid = ${clientUid} and k.event_uid = ${eventUid}
      and k.kind = c.kind and k.subject_uid = c.subject and k.state = c.state)
    order by greatest(c.first, c.second), c.kind, c.subject`.execute(db)
  return rows
}

/** All of the event, also those that someone keeps. */
export async function listAllContradictions(
  db: Db,
  clientUid: ClientUid,
  eventUid: EventUid,
): Promise<Contradiction[]> {
  const { rows } = await sql<Contradiction>`
    with ${contradictionsIn(clientUid, eventUid)} select * from contradiction`.execute(db)
  return rows
}

/** The subject, a floor or a person, is in the event. */
export async function isInEvent(
  db: Db,
  { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid },
  subject: string,
  isFloor: boolean,
): Promise<boolean> {
  const of = sql`client_uid = ${clientUid} and event_uid = ${eventUid}`
  const { rows } = await sql<{ isIn: boolean }>`
    select exists (${
      isFloor
        ? sql`select from event_floor where ${of} and floor_uid = ${subject}`
        : sql`select from evacuee where ${of} and person_uid = ${subject} and active`
    }) as is_in`.execute(db)
  return rows[0]?.isIn === true
}
