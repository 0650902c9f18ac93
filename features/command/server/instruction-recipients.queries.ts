import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, FloorUid, InstructionUid, SignInUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { claimStands } from '#server/wardens/floor-coverage.ts'
import { areaRow, isEverywhere } from '#server/wardens/warden-area.ts'
import type { EventOf } from './command.queries.ts'

export const isOnDuty: RawBuilder<boolean> = sql`si.on_duty`
/** The event of the caller, as a list of one. */
export const onlyEvent = ({ clientUid, eventUid }: EventOf) => sql`select ${clientUid}::uuid, ${eventUid}::uuid`

/**
 * The table `warden`: open participations of the events for which `who` holds, with the `places` of their areas and claims: floors
 * and whole buildings. `offset 0`: looked up one by one, also by a plan that was made when there were few.
 */
const wardens = (events: RawBuilder<unknown>, who: RawBuilder<boolean>) => sql`
    warden as materialized (
      select si.client_uid, si.event_uid, si.uid, si.person_uid, ${isEverywhere(sql`si.event_uid`)} as is_everywhere,
        array(
          select coalesce(l.floor_uid, l.building_uid) from assignment_location l
          where l.client_uid = a.client_uid and l.assignment_uid = a.uid
          union all
          select fc.place_uid from floor_claim fc
          where fc.client_uid = si.client_uid and fc.event_uid = si.event_uid and fc.sign_in_uid = si.uid and ${claimStands}
        ) as places
      from warden_sign_in si
      cross join lateral (
        select * from warden_assignment where client_uid = si.client_uid and uid = si.assignment_uid offset 0) a
      cross join lateral (select * from warden_role where client_uid = a.client_uid and uid = a.role_uid offset 0) r
      where (si.client_uid, si.event_uid) in (${events}) and si.closed_at is null and ${who}
    )`

/** Floors of instruction i and their buildings: a warden of one of these places is meant. Null: everyone is. */
const meantPlaces = sql`
  case when i.floors is not null then i.floors || array(
    select distinct f.building_uid from floor f where f.client_uid = i.client_uid and f.uid = any (i.floors)) end`

/** Instruction i, with its places, means warden w. */
const isMeantBy = sql<boolean>`(i.places is null or w.is_everywhere or w.places && i.places)`

/** Instruction i was sent since its event `e` is live: what a drill asked for no one does in the emergency. */
export const isNotOfDrill = sql<boolean>`(e.live_from is null or i.at > e.live_from)`

/**
 * The tables `warden`, `sent` and `waiting`: each warden with the newest instruction that means them, unless they
 * have understood it or sent it themselves.
 *
 * 1. `current`: instructions that can be someone's newest, with their places. The newest for all floors replaces all before it.
 * 2. `reach`: what an instruction reaches and where a warden is to be reached: places, the event as a place of who is everywhere, the
 *    organisation as the place of all. One list, sorted once: a comparison of each warden with each instruction took minutes.
 * 3. `met`: each warden at each of their places with the newest instruction there.
 */
export const waitingIn = (events: RawBuilder<unknown>, who: RawBuilder<boolean>) => sql`
    ${wardens(events, who)}, sent as materialized (
      select i.* from instruction i
      join event e on e.client_uid = i.client_uid and e.uid = i.event_uid
      where (i.client_uid, i.event_uid) in (${events}) and ${isNotOfDrill}
    ), current as materialized (
      select i.client_uid, i.event_uid, i.uid, i.at, i.by_sign_in_uid, ${meantPlaces} as places
      from (
        select sent.*, count(*) filter (where floors is null) over (
          partition by client_uid, event_uid order by at desc, uid desc rows between unbounded preceding and 1 preceding) as replaced
        from sent
      ) i where i.replaced = 0
    ), reach as (
      select i.client_uid, i.event_uid, p.place_uid, i.at, i.uid as instruction_uid, i.by_sign_in_uid,
        null::uuid as sign_in_uid, null::uuid as person_uid
      from current i
      cross join lateral unnest(coalesce(i.places, array[i.client_uid]) || i.event_uid) as p (place_uid)
      union all
      select w.client_uid, w.event_uid, p.place_uid, null, null, null, w.uid, w.person_uid
      from warden w
      cross join lateral unnest(w.places || w.client_uid || case when w.is_everywhere then array[w.event_uid] end) as p (place_uid)
    ), met as (
      select client_uid, event_uid, sign_in_uid, person_uid, first_value(at) over newest as at,
        first_value(instruction_uid) over newest as instruction_uid, first_value(by_sign_in_uid) over newest as by_sign_in_uid
      from reach
      window newest as (partition by client_uid, event_uid, place_uid order by at desc nulls last, instruction_uid desc nulls last)
    ), waiting as materialized (
      select n.* from (
        select distinct on (client_uid, sign_in_uid) client_uid, event_uid, sign_in_uid, person_uid, instruction_uid, by_sign_in_uid
        from met where sign_in_uid is not null and instruction_uid is not null
        order by client_uid, sign_in_uid, at desc, instruction_uid desc
      ) n
      where n.by_sign_in_uid <> n.sign_in_uid and not exists (
        select from instruction_answer a where a.client_uid = n.client_uid and a.instruction_uid = n.instruction_uid
          and a.sign_in_uid = n.sign_in_uid and a.understood_at is not null)
    )`

/** How many wardens on duty an instruction for these floors would mean now, without its sender. Null: all floors. */
export async function countMeant(
  db: Db,
  event: EventOf,
  { floors, senderUid }: { floors: readonly FloorUid[] | null; senderUid: SignInUid },
): Promise<number> {
  if (floors === null) return countOnDuty(db, event, senderUid)
  const { rows } = await sql<{ wardens: number }>`
    with ${wardens(onlyEvent(event), isOnDuty)}, i as materialized (
      select ${meantPlaces} as places from (select ${event.clientUid}::uuid as client_uid, ${floors}::uuid[] as floors) i
    )
    select count(*)::int as wardens from warden w, i where w.uid <> ${senderUid} and ${isMeantBy}`.execute(db)
  return rows[0]?.wardens ?? 0
}

/** Without the areas of a thousand wardens, for which an instruction to all would wait. */
async function countOnDuty(db: Db, { clientUid, eventUid }: EventOf, senderUid: SignInUid): Promise<number> {
  const { rows } = await sql<{ wardens: number }>`
    select count(*)::int as wardens from warden_sign_in si
    where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.closed_at is null and ${isOnDuty}
      and si.uid <> ${senderUid}`.execute(db)
  return rows[0]?.wardens ?? 0
}

/** Who sent the instruction of the event, if it means the warden. */
export async function findSender(
  db: Db,
  event: EventOf,
  uid: InstructionUid,
  signInUid: SignInUid,
): Promise<SignInUid | undefined> {
  const { rows } = await sql<{ bySignInUid: SignInUid }>`
    with ${wardens(onlyEvent(event), sql`si.uid = ${signInUid}`)}
    select i.by_sign_in_uid from warden w join (
      select i.by_sign_in_uid, ${meantPlaces} as places from instruction i
      where i.client_uid = ${event.clientUid} and i.event_uid = ${event.eventUid} and i.uid = ${uid}
    ) i on ${isMeantBy}`.execute(db)
  return rows[0]?.bySignInUid
}

export interface NotYetRow {
  wardenSignInUid: SignInUid
  id: AssignmentUid
  name: string
  areas: string[] | null
  phone: string | null
  texted: boolean
}

/** Who has not understood the instruction, by name, after the given one. */
export async function listNotYet(
  db: Db,
  event: EventOf,
  { uid, after, most }: { uid: InstructionUid; after: SignInUid | undefined; most: number },
): Promise<NotYetRow[]> {
  const { rows } = await sql<NotYetRow>`
    with ${waitingIn(onlyEvent(event), isOnDuty)}
    select si.uid as warden_sign_in_uid, a.uid as id, p.name, p.mobile as phone,
      case when r.area_domain = 'Site' then array[st.name] else area.names end as areas,
      exists (select from instruction_answer t where t.client_uid = w.client_uid and t.instruction_uid = w.instruction_uid
        and t.sign_in_uid = w.sign_in_uid and t.texted_at is not null) as texted
    from waiting w
    cross join lateral (select * from warden_sign_in where client_uid = w.client_uid and uid = w.sign_in_uid offset 0) si
    cross join lateral (select * from person where client_uid = si.client_uid and uid = si.person_uid offset 0) p
    cross join lateral (
      select * from warden_assignment where client_uid = si.client_uid and uid = si.assignment_uid offset 0) a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    cross join ${areaRow()}
    where w.instruction_uid = ${uid} and (${after ?? null}::uuid is null or (p.name, si.uid) > (
      select p.name, s.uid from warden_sign_in s
      join person p on p.client_uid = s.client_uid and p.uid = s.person_uid
      where s.client_uid = ${event.clientUid} and s.event_uid = ${event.eventUid} and s.uid = ${after ?? null}::uuid))
    order by p.name, si.uid limit ${most}`.execute(db)
  return rows
}
