import { sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, InstructionUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { isQuiet } from '#server/wardens/building-action.ts'
import type { InstructionKind } from '../kinds.ts'
import { recentlySentMs } from '../kinds.ts'
import type { EventOf } from './command.queries.ts'
import { isNotOfDrill, isOnDuty, onlyEvent, waitingIn } from './instruction-recipients.queries.ts'

export interface PlaceRow {
  id: BuildingUid
  name: string
  floors: { id: FloorUid; name: string }[]
}

/** The buildings of the event by name, with their floors by level. */
export async function listPlaces(db: Db, { clientUid, eventUid }: EventOf): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select b.uid as id, b.name, jsonb_agg(jsonb_build_object('id', f.uid, 'name', f.name) order by f.level, f.name, f.uid) as floors
    from event_building eb
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    join event_floor ef on ef.client_uid = eb.client_uid and ef.event_uid = eb.event_uid and ef.building_uid = eb.building_uid
    join floor f on f.client_uid = ef.client_uid and f.uid = ef.floor_uid
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
    group by b.uid, b.name
    order by b.name, b.uid`.execute(db)
  return rows
}

/** True if each of them is a floor of the event. */
export async function areFloorsOf(
  db: Db,
  { clientUid, eventUid }: EventOf,
  floors: readonly FloorUid[],
): Promise<boolean> {
  const { rows } = await sql<{ known: number }>`
    select count(*)::int as known from event_floor ef
    join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
      and eb.building_uid = ef.building_uid and eb.active
    where ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid} and ef.floor_uid = any (${floors}::uuid[])`.execute(
    db,
  )
  return rows[0]?.known === new Set(floors).size
}

/** One of the floors, or of all floors, is in a building where people hide. */
export async function hasQuietFloor(db: Db, { clientUid, eventUid }: EventOf, floors: readonly FloorUid[] | null) {
  const { rows } = await sql`
    select from event_building eb
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active and ${isQuiet}
      and (${floors}::uuid[] is null or exists (select from floor f
        where f.client_uid = eb.client_uid and f.building_uid = eb.building_uid and f.uid = any (${floors}::uuid[])))
    limit 1`.execute(db)
  return rows.length > 0
}

export interface SentRow {
  uid: InstructionUid
  kind: InstructionKind
  message: string
  floors: FloorUid[] | null
  by: string
  bySignInUid: SignInUid
  at: Date
  understood: number
  meant: number
}

interface Which {
  /** Only this one. */
  uid?: InstructionUid
  /** Only those of the last two minutes. */
  isRecent?: boolean
  most: number
}

/** Instructions of the event, the newest first, with who has understood them and who has not. */
export async function listSent(db: Db, event: EventOf, { uid, isRecent = false, most }: Which): Promise<SentRow[]> {
  const { rows } = await sql<SentRow>`
    with ${waitingIn(onlyEvent(event), isOnDuty)}, shown as (
      select * from sent
      where (${uid ?? null}::uuid is null or uid = ${uid ?? null})
        and (not ${isRecent} or at > clock_timestamp() - make_interval(secs => ${recentlySentMs / 1000}))
      order by at desc, uid desc limit ${most}
    ), not_yet as materialized (
      select instruction_uid, count(*)::int as wardens from waiting group by instruction_uid
    )
    select i.uid, i.kind, i.message, i.floors, p.name as by, i.by_sign_in_uid, i.at,
      answers.understood, answers.understood + coalesce(n.wardens, 0) as meant
    from shown i
    left join not_yet n on n.instruction_uid = i.uid
    cross join lateral (select * from warden_sign_in where client_uid = i.client_uid and uid = i.by_sign_in_uid offset 0) si
    cross join lateral (select * from person where client_uid = si.client_uid and uid = si.person_uid offset 0) p
    cross join lateral (
      select count(a.understood_at)::int as understood from instruction_answer a
      where a.client_uid = i.client_uid and a.instruction_uid = i.uid
    ) answers
    order by i.at desc, i.uid desc`.execute(db)
  return rows
}

/** Floors with the kind of their newest instruction, of those newer than the newest for all floors; `floor` null: of that one. */
export interface ToldRow {
  floor: FloorUid | null
  kind: InstructionKind
}

/** Of the newest instructions, so many at most. */
export async function listTold(db: Db, { clientUid, eventUid }: EventOf, most: number): Promise<ToldRow[]> {
  const { rows } = await sql<ToldRow>`
    with sent as materialized (
      select i.uid, i.kind, i.at, i.floors from instruction i
      join event e on e.client_uid = i.client_uid and e.uid = i.event_uid
      where i.client_uid = ${clientUid} and i.event_uid = ${eventUid} and ${isNotOfDrill}
      order by i.at desc, i.uid desc limit ${most}
    ), general as materialized (
      select uid, kind, at from sent where floors is null order by at desc, uid desc limit 1
    )
    select null as floor, kind from general
    union all
    select * from (
      select distinct on (t.floor) t.floor, s.kind
      from sent s cross join lateral unnest(s.floors) as t (floor)
      where not exists (select from general g where (g.at, g.uid) > (s.at, s.uid))
      order by t.floor, s.at desc, s.uid desc
    ) newest`.execute(db)
  return rows
}

export interface CurrentRow {
  uid: InstructionUid
  kind: InstructionKind
  message: string
  by: string
  at: Date
}

/** The newest instruction that means the warden, unless they have understood it or sent it. */
export async function findCurrent(db: Db, event: EventOf, signInUid: SignInUid): Promise<CurrentRow | undefined> {
  const { rows } = await sql<CurrentRow>`
    with ${waitingIn(onlyEvent(event), sql`si.uid = ${signInUid}`)}
    select i.uid, i.kind, i.message, i.at, p.name as by
    from waiting w
    join sent i on i.client_uid = w.client_uid and i.uid = w.instruction_uid
    join warden_sign_in si on si.client_uid = i.client_uid and si.uid = i.by_sign_in_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid`.execute(db)
  return rows[0]
}

export interface NewInstruction extends EventOf {
  kind: InstructionKind
  message: string
  /** Null: all floors. */
  floors: FloorUid[] | null
  /** Who has not understood after a minute is texted. */
  text: boolean
  bySignInUid: SignInUid
}

export async function insertInstruction(tx: Tx, instruction: NewInstruction): Promise<InstructionUid> {
  const { uid } = await tx.insertInto('instruction').values(instruction).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** True unless the warden has said so before. Of several at once one is counted. */
export async function markUnderstood(
  tx: Tx,
  { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid },
  { uid, signInUid }: { uid: InstructionUid; signInUid: SignInUid },
): Promise<boolean> {
  const { rows } = await sql`
    insert into instruction_answer (client_uid, instruction_uid, sign_in_uid, event_uid, understood_at)
    values (${clientUid}, ${uid}, ${signInUid}, ${eventUid}, clock_timestamp())
    on conflict (client_uid, instruction_uid, sign_in_uid) do update set understood_at = excluded.understood_at
      where instruction_answer.understood_at is null
    returning true`.execute(tx)
  return rows.length > 0
}
