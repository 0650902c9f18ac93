import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { LogOf } from '../sealing.queries.ts'

const ofLog = ({ clientUid, eventUid }: LogOf) => sql`(client_uid, event_uid) = (${clientUid}, ${eventUid})`

/** Running events with a log, whose people are packed as they join. */
export async function listRunning(system: Db): Promise<LogOf[]> {
  const { rows } = await sql<LogOf>`
    select l.client_uid, l.event_uid from record_log l
    join event e on (e.client_uid, e.uid) = (l.client_uid, l.event_uid) and e.ended_at is null
    where l.form_from is not null`.execute(system)
  return rows
}

/** Locks the log, so that only one packs. */
export const lockLog = (tx: Tx, of: LogOf) =>
  sql`select from record_log where ${ofLog(of)} for no key update`.execute(tx)

export interface Joined {
  subject: string
  line: string
}

/**
 * Wardens and people to be accounted for who have no line yet. Wardens first, then floor by floor, so that a page of a record
 * finds its people in few tiles.
 */
export async function listWaiting(system: Db, { clientUid, eventUid }: LogOf): Promise<string[]> {
  const isWaiting = sql`(x.client_uid, x.event_uid) = (${clientUid}, ${eventUid}) and not exists (select from log_person l
    where (l.client_uid, l.event_uid, l.subject) = (x.client_uid, x.event_uid, x.uid))`
  const { rows } = await sql<{ uid: string }>`
    (select x.uid from warden_sign_in x where ${isWaiting} order by x.uid)
    union all
    (select x.uid from evacuee x where ${isWaiting} order by x.home_building_uid, x.home_floor_uid, x.uid)`.execute(
    system,
  )
  return rows.map(({ uid }) => uid)
}

/** Those of them who still have no line, in their order: name, and role or home place. Never a plan, never a number. */
export async function listJoined(tx: Tx, { clientUid, eventUid }: LogOf, uids: readonly string[]): Promise<Joined[]> {
  const isNext = sql`(x.client_uid, x.event_uid, x.uid) = (${clientUid}, ${eventUid}, next.uid)`
  const { rows } = await sql<Joined>`
    with next as materialized (
      select * from unnest(${uids}::uuid[]) with ordinality one (uid, nth)
      where not exists (select from log_person l
        where (l.client_uid, l.event_uid, l.subject) = (${clientUid}, ${eventUid}, one.uid))
    )
    select nth, x.uid as subject, json_build_object('kind', 'warden', 'sign_in', x.uid, 'person', p.uid,
        'name', p.name, 'role', r.name, 'building', null, 'floor', null)::text as line
    from next
    join warden_sign_in x on ${isNext}
    join warden_assignment a on a.client_uid = x.client_uid and a.uid = x.assignment_uid
    join warden_role r on r.client_uid = x.client_uid and r.uid = a.role_uid
    join person p on p.client_uid = x.client_uid and p.uid = x.person_uid
    union all
    select nth, x.uid, json_build_object('kind', 'evacuee', 'evacuee', x.uid, 'person', p.uid,
        'name', p.name, 'visitor', x.visitor, 'building', x.home_building_uid,
        'floor', x.home_floor_uid)::text
    from next
    join evacuee x on ${isNext}
    join person p on p.client_uid = x.client_uid and p.uid = x.person_uid
    order by nth`.execute(tx)
  return rows
}

export interface PeopleTile {
  idx: number
  commits: Buffer
  lines: Buffer
}

/** The last tile of people. */
export async function findLastTile(tx: Tx, of: LogOf): Promise<PeopleTile | undefined> {
  const { rows } = await sql<PeopleTile>`
    select idx, commits, lines from log_tile where ${ofLog(of)} and file = 'people' order by idx desc limit 1`.execute(
    tx,
  )
  return rows[0]
}

export async function saveTile(tx: Tx, of: LogOf, tile: PeopleTile): Promise<void> {
  await tx
    .insertInto('logTile')
    .values({ ...of, file: 'people', keys: [], ...tile })
    .onConflict((conflict) =>
      conflict.columns(['clientUid', 'eventUid', 'file', 'idx']).doUpdateSet({
        commits: tile.commits,
        lines: tile.lines,
      }),
    )
    .execute()
}

/** Whom lines are about, by their numbers. Said again, it stays. */
export async function saveSubjects(tx: Tx, of: LogOf, lines: readonly { subject: string; n: number }[]): Promise<void> {
  await sql`
    insert into log_person (client_uid, event_uid, subject, n)
    select ${of.clientUid}::uuid, ${of.eventUid}::uuid, * from unnest(${lines.map(({ subject }) => subject)}::uuid[], ${lines.map(({ n }) => n)}::int[])
    on conflict do nothing`.execute(tx)
}
