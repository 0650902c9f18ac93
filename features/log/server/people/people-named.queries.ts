import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import type { LogOf } from '../sealing.queries.ts'

/** Lines of one tile, each by its place in it, from 0. */
export interface FoundLines {
  places: number[]
  commits: Buffer
  lines: Buffer
}

/** Where the lines of these participations and persons are. Null: of everyone. Tiles whose lines are all erased are left out. */
export async function listLinesOf(
  db: Db,
  { clientUid, eventUid }: LogOf,
  uids: readonly string[] | null,
): Promise<FoundLines[]> {
  const inEvent = sql`client_uid = ${clientUid} and event_uid = ${eventUid}`
  // each is looked up by itself, so that a plan without statistics, as of an event that has just ended, reads no other line
  const some = sql`(
    select unnest(${uids}::uuid[]) as subject
    union select uid from evacuee where ${inEvent} and person_uid = any (${uids}::uuid[])
    union select uid from warden_sign_in where ${inEvent} and person_uid = any (${uids}::uuid[])
  ) wanted cross join lateral (select n from log_person where ${inEvent} and subject = wanted.subject offset 0)`
  const everyone = sql`(select n from log_person where ${inEvent})`
  const { rows } = await sql<FoundLines>`
    with found as (
      select (n - 1) / 256 as idx, array_agg((n - 1) % 256) as places from ${uids === null ? everyone : some} line group by 1
    )
    select found.places, t.commits, t.lines from found
    join log_tile t on (t.client_uid, t.event_uid, t.file, t.idx) = (${clientUid}, ${eventUid}, 'people', found.idx)
    where t.lines is not null`.execute(db)
  return rows
}

/** Events that the person was to be accounted for in, or took part in. */
export async function listEventsOf(db: Db, clientUid: string, personUid: string): Promise<LogOf[]> {
  const { rows } = await sql<LogOf>`
    select client_uid, event_uid from evacuee where client_uid = ${clientUid} and person_uid = ${personUid}
    union select client_uid, event_uid from warden_sign_in where client_uid = ${clientUid} and person_uid = ${personUid}`.execute(
    db,
  )
  return rows
}
