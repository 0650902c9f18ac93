import { sql } from 'kysely'
import type { ClientUid, EventUid, SiteUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { journalHorizon } from '#server/platform/db/journal-horizon.ts'
import type { EventRecord } from '../calls/record.ts'
import type { Of } from './count/facts.queries.ts'

/** Organisations with an event that has ended and has no number yet. */
export async function listUnnumbered(system: Db): Promise<ClientUid[]> {
  const { rows } = await sql<{ clientUid: ClientUid }>`
    select distinct e.client_uid from event e
    where e.ended_at is not null and not exists (select from event_record r
      where r.client_uid = e.client_uid and r.event_uid = e.uid)`.execute(system)
  return rows.map(({ clientUid }) => clientUid)
}

/** The last number of the organisation, locked until the end of the transaction. */
export async function lockCounter(tx: Tx, clientUid: ClientUid): Promise<number> {
  await sql`insert into record_counter (client_uid) values (${clientUid}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ lastNumber: number }>`
    select last_number from record_counter where client_uid = ${clientUid} for update`.execute(tx)
  return rows[0]?.lastNumber ?? 0
}

/** Numbers the ended events in the order of their ends. The counter is locked. */
export async function numberEnded(tx: Tx, clientUid: ClientUid, last: number): Promise<void> {
  await sql`
    with numbered as (
      insert into event_record (client_uid, event_uid, number, site_uid, kind, building_uids, floor_uids, began_at, ended_at, search)
      select e.client_uid, e.uid, ${last} + row_number() over (order by e.ended_at, e.uid), e.site_uid, e.kind,
        places.buildings, places.floors, e.started_at, date_trunc('milliseconds', e.ended_at),
        lower(concat_ws(' ', st.name, et.type, places.names, ${last} + row_number() over (order by e.ended_at, e.uid)))
      from event e
      join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
      join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
      cross join lateral (
        select coalesce(array_agg(distinct eb.building_uid), '{}') as buildings, string_agg(distinct b.name, ' ') as names,
          array(select ef.floor_uid from event_floor ef where ef.client_uid = e.client_uid and ef.event_uid = e.uid) as floors
        from event_building eb join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
        where eb.client_uid = e.client_uid and eb.event_uid = e.uid
      ) places
      where e.client_uid = ${clientUid} and e.ended_at is not null
        and not exists (select from event_record r where r.client_uid = e.client_uid and r.event_uid = e.uid)
      returning number
    )
    update record_counter set last_number = coalesce((select max(number) from numbered), last_number)
    where client_uid = ${clientUid}`.execute(tx)
}

export interface Due extends Of {
  number: number
  siteUid: SiteUid
  kind: EventKind
  attempts: number
  /** The shifts of the site, and the minute of its day at which the event began. */
  drillShifts: string
  minute: number
}

/** A transaction that began before the end of the event of the row, and may still add to its journal, is open. */
const isHeldBack = (row: 'd' | 'r') => sql<boolean>`exists (select from journal j
          where j.event_uid = ${sql.ref(`${row}.eventUid`)} and j.action = 'event_ended' and j.xid >= ${journalHorizon})`

const waitedEnough = (row: 'd' | 'r') => sql<boolean>`${sql.ref(`${row}.endedAt`)} < now() - interval '10 minutes'`

/**
 * The next record to be written, which no one else takes for a minute. Those of an organisation are written in their order,
 * so that each closing names the one before. A transaction that began before the end
 * may still add to the journal: it is waited for, but for ten minutes at most.
 */
export async function claimDue(system: Db): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    update event_record r set attempts = r.attempts + 1, next_try_at = now() + interval '1 minute'
    where (r.client_uid, r.event_uid) = (
      select d.client_uid, d.event_uid from event_record d
      where d.state in ('writing', 'failed') and d.next_try_at <= now()
        and not exists (select from event_record before where before.client_uid = d.client_uid
          and before.number < d.number and before.state = 'writing')
        and (${waitedEnough('d')} or not ${isHeldBack('d')})
      order by d.number limit 1 for update skip locked
    )
    returning r.client_uid, r.event_uid, r.number, r.site_uid, r.kind, r.attempts,
      (select drill_shifts from site st where st.client_uid = r.client_uid and st.uid = r.site_uid) as drill_shifts,
      (select (extract(hour from at) * 60 + extract(minute from at))::int from site st
        cross join lateral (select r.began_at at time zone st.timezone as at) began
        where st.client_uid = r.client_uid and st.uid = r.site_uid) as minute`.execute(system)
  return rows[0]
}

/**
 * True if the figures that this transaction reads are without what an open one may add. Within ten minutes of the end a
 * record is only claimed when nothing can be added any more, so what looks open since then is of another database.
 */
export async function isWrittenEarly(tx: Tx, { clientUid, eventUid }: Of): Promise<boolean> {
  const { rows } = await sql<{ early: boolean }>`
    select ${waitedEnough('r')} and ${isHeldBack('r')} as early from event_record r
    where r.client_uid = ${clientUid} and r.event_uid = ${eventUid}`.execute(tx)
  return rows[0]?.early === true
}

/** The sessions of the event by their first entry, as phones are numbered. */
export async function listSessions(tx: Tx, { clientUid, eventUid }: Of): Promise<string[]> {
  const { rows } = await sql<{ sessionUid: string }>`
    select session_uid from journal
    where client_uid = ${clientUid} and event_uid = ${eventUid} and session_uid is not null
    group by session_uid order by min(position)`.execute(tx)
  return rows.map(({ sessionUid }) => sessionUid)
}

/** False if the record has been written meanwhile. It is never written twice. */
export async function keepRecord(
  tx: Tx,
  { clientUid, eventUid }: Of,
  { record, replay, sessionUids }: { record: EventRecord; replay: Buffer | null; sessionUids: string[] },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('eventRecord')
    .set({
      state: 'ready',
      result: record.result.word,
      summary: JSON.stringify(record),
      replay,
      readyAt: sql`now()`,
      sessionUids,
    })
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('state', 'in', ['writing', 'failed'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** After five attempts the page says that it failed. It is tried each minute all the same. */
export async function noteFailed(system: Db, { clientUid, eventUid, attempts }: Due): Promise<void> {
  if (attempts < 5) return
  await system
    .updateTable('eventRecord')
    .set({ state: 'failed' })
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('state', '=', 'writing')
    .execute()
}

/** Records that were tried five times and are not written. */
export async function countFailed(system: Db): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::int as failed from event_record where state = 'failed'`.execute(system)
  return rows[0]?.failed ?? 0
}

/** The last closed record before this one, with the last head of its log. Null: there is none. */
export async function findPrevious(tx: Tx, { clientUid, number }: Due) {
  const { rows } = await sql<{ number: number; size: number; root: string }>`
    select r.number, h.size::float8 as size, encode(h.root, 'base64') as root
    from event_record r
    join lateral (select size, root from record_head h where h.client_uid = r.client_uid and h.event_uid = r.event_uid
      order by size desc limit 1) h on true
    where r.client_uid = ${clientUid} and r.number < ${number}
    order by r.number desc limit 1`.execute(tx)
  return rows[0] ?? null
}

/** Ready records of the kind and site before this one that share a building with it, the latest first. */
export async function listEarlier(
  tx: Tx,
  { clientUid, siteUid, kind, number, eventUid }: Pick<Due, 'clientUid' | 'siteUid' | 'kind' | 'number' | 'eventUid'>,
) {
  const { rows } = await sql<{ eventUid: EventUid; record: EventRecord }>`
    select r.event_uid, coalesce(r.recount, r.summary) as record from event_record r
    where r.client_uid = ${clientUid} and r.site_uid = ${siteUid} and r.kind = ${kind} and r.number < ${number}
      and r.state = 'ready' and r.building_uids && (select building_uids from event_record own
        where own.client_uid = ${clientUid} and own.event_uid = ${eventUid})
      and coalesce(r.summary -> 'actions' -> 0 ->> 'action', 'evacuate') = coalesce((select j.after ->> 'action' from journal j
        where j.client_uid = ${clientUid} and j.event_uid = ${eventUid} and j.action = 'event_started'
        order by j.xid, j.position limit 1), 'evacuate')
    order by r.number desc limit 10`.execute(tx)
  return rows
}

/** Actions of earlier records that were open when the event began, and how many of them were overdue then. */
export async function countOpenActions(
  tx: Tx,
  { clientUid, eventUid }: Of,
): Promise<{ open: number; overdue: number }> {
  const { rows } = await sql<{ open: number; overdue: number }>`
    select count(*)::int as open,
      (count(*) filter (where (a.body ->> 'due')::date < (r.began_at at time zone st.timezone)::date))::int as overdue
    from event_record r
    join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
    join record_entry a on a.client_uid = r.client_uid and a.kind = 'action' and a.recorded_at < r.began_at
    join event_record of on of.client_uid = a.client_uid and of.event_uid = a.event_uid and of.site_uid = r.site_uid
    left join lateral (
      select s.body ->> 'step' as step from record_entry s
      where s.client_uid = a.client_uid and s.kind = 'action_step' and s.target_uid = a.uid and s.recorded_at < r.began_at
      order by s.recorded_at desc limit 1
    ) last on true
    where r.client_uid = ${clientUid} and r.event_uid = ${eventUid}
      and coalesce(last.step, 'open') in ('open', 'reopened')`.execute(tx)
  return rows[0] ?? { open: 0, overdue: 0 }
}
