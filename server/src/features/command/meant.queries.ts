import type { AssignmentUid, FloorUid, InstructionUid, SignInUid } from '@evac/contract/ids.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import { claimStands } from '../../wardens/floor-coverage.ts'
import { areaPlaces, areaRow, isEverywhere } from '../../wardens/warden-area.ts'
import type { EventOf } from './command.queries.ts'

export const isOnDuty: RawBuilder<boolean> = sql`si.on_duty`
/** The event of the caller, as a list of one. */
export const onlyEvent = ({ clientUid, eventUid }: EventOf) => sql`select ${clientUid}::uuid, ${eventUid}::uuid`

/** The table `warden`: open participations of the events for which `who` holds, with the places of their areas and claims. */
const wardens = (events: RawBuilder<unknown>, who: RawBuilder<boolean>) => sql`
    warden as materialized (
      select si.client_uid, si.event_uid, si.uid, si.person_uid, ${isEverywhere(sql`si.event_uid`)} as is_everywhere,
        area.floors, area.buildings
      from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      cross join lateral (
        select array_agg(l.floor_uid) filter (where l.floor_uid is not null) as floors,
          array_agg(l.building_uid) filter (where l.floor_uid is null) as buildings
        from (
          select l.floor_uid, l.whole_building_uid as building_uid from ${areaPlaces} l
          where l.client_uid = a.client_uid and l.assignment_uid = a.uid
          union all
          select fc.floor_uid, fc.building_uid from floor_claim fc
          where fc.client_uid = si.client_uid and fc.event_uid = si.event_uid and fc.sign_in_uid = si.uid and ${claimStands}
        ) l
      ) area
      where (si.client_uid, si.event_uid) in (${events}) and si.closed_at is null and ${who}
    )`

/** The buildings of the floors. */
const buildingsOf = (clientUid: RawBuilder<unknown>, floors: RawBuilder<unknown>) => sql`
  (select array_agg(distinct f.building_uid) from floor f where f.client_uid = ${clientUid} and f.uid = any (${floors}))`

/** CMD-22: the floors (assignment, claim), or the building or site, of warden w meet the floors and buildings of i. */
const meet = sql`(i.floors is null or w.is_everywhere or w.floors && i.floors or w.buildings && i.buildings)`

/**
 * The tables `warden`, `sent` and `waiting`: CMD-23, each warden with the newest instruction that means them, unless they
 * have understood it or sent it themselves.
 */
export const waitingIn = (events: RawBuilder<unknown>, who: RawBuilder<boolean>) => sql`
    ${wardens(events, who)}, sent as materialized (
      select i.*, ${buildingsOf(sql`i.client_uid`, sql`i.floors`)} as buildings
      from instruction i where (i.client_uid, i.event_uid) in (${events})
    ), newest as (
      select distinct on (w.client_uid, w.uid) w.client_uid, w.event_uid, w.uid as sign_in_uid, w.person_uid,
        i.uid as instruction_uid, i.by_sign_in_uid
      from warden w
      join sent i on i.client_uid = w.client_uid and i.event_uid = w.event_uid and ${meet}
      order by w.client_uid, w.uid, i.at desc, i.uid desc
    ), waiting as (
      select n.* from newest n
      where n.by_sign_in_uid <> n.sign_in_uid and not exists (
        select from instruction_answer a where a.client_uid = n.client_uid and a.instruction_uid = n.instruction_uid
          and a.sign_in_uid = n.sign_in_uid and a.understood_at is not null)
    )`

/** CMD-21: how many wardens on duty an instruction for these floors would mean now, without its sender. Null: all floors. */
export async function countMeant(
  db: Db,
  event: EventOf,
  { floors, senderUid }: { floors: readonly FloorUid[] | null; senderUid: SignInUid },
): Promise<number> {
  if (floors === null) return countOnDuty(db, event, senderUid)
  const { rows } = await sql<{ wardens: number }>`
    with ${wardens(onlyEvent(event), isOnDuty)}, i as (
      select ${floors}::uuid[] as floors, ${buildingsOf(sql`${event.clientUid}`, sql`${floors}::uuid[]`)} as buildings
    )
    select count(*)::int as wardens from warden w, i where w.uid <> ${senderUid} and ${meet}`.execute(db)
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

/** True if the instruction is of the event and means the warden. */
export async function isMeant(db: Db, event: EventOf, uid: InstructionUid, signInUid: SignInUid): Promise<boolean> {
  const { rows } = await sql`
    with ${wardens(onlyEvent(event), sql`si.uid = ${signInUid}`)}
    select from warden w join (
      select i.*, ${buildingsOf(sql`i.client_uid`, sql`i.floors`)} as buildings from instruction i
      where i.client_uid = ${event.clientUid} and i.event_uid = ${event.eventUid} and i.uid = ${uid}
    ) i on ${meet}`.execute(db)
  return rows.length > 0
}

export interface NotYetRow {
  wardenSignInUid: SignInUid
  id: AssignmentUid
  name: string
  areas: string[] | null
  phone: string | null
  texted: boolean
}

/** CMD-24: who has not understood the instruction, by name, after the given one. */
export async function listNotYet(
  db: Db,
  event: EventOf,
  { uid, after, most }: { uid: InstructionUid; after: SignInUid | undefined; most: number },
): Promise<NotYetRow[]> {
  const name = sql`p.first_name || ' ' || p.last_name`
  const { rows } = await sql<NotYetRow>`
    with ${waitingIn(onlyEvent(event), isOnDuty)}
    select si.uid as warden_sign_in_uid, a.uid as id, ${name} as name, p.mobile as phone,
      case when r.area_domain = 'Site' then array[st.name] else area.names end as areas,
      exists (select from instruction_answer t where t.client_uid = w.client_uid and t.instruction_uid = w.instruction_uid
        and t.sign_in_uid = w.sign_in_uid and t.texted_at is not null) as texted
    from waiting w
    join warden_sign_in si on si.client_uid = w.client_uid and si.uid = w.sign_in_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    cross join ${areaRow()}
    where w.instruction_uid = ${uid} and (${after ?? null}::uuid is null or (${name}, si.uid) > (
      select ${name}, s.uid from warden_sign_in s
      join person p on p.client_uid = s.client_uid and p.uid = s.person_uid
      where s.client_uid = ${event.clientUid} and s.event_uid = ${event.eventUid} and s.uid = ${after ?? null}::uuid))
    order by ${name}, si.uid limit ${most}`.execute(db)
  return rows
}
