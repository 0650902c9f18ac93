import { sql } from 'kysely'
import type {
  BuildingUid,
  ClientUid,
  EventTypeUid,
  EventUid,
  FloorStatusUid,
  FloorUid,
  PersonUid,
} from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'

export interface DemoClient {
  clientUid: ClientUid
  /** Ten o'clock in the morning at the site, two weeks ago. */
  startAt: Date
}

/** The organisation of the demo's drill. Two nodes that start wait for each other here, and make one drill. */
export async function lockDemoClient(tx: Tx): Promise<DemoClient | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('evac demo drill'))`.execute(tx)
  const { rows } = await sql<DemoClient>`
    select c.uid as client_uid, (date_trunc('day', now() at time zone st.timezone) - interval '14 days' + interval '10 hours')
      at time zone st.timezone as start_at
    from client c join site st on st.client_uid = c.uid and st.code = 'HQ'
    where c.code = 'HARBOUR'`.execute(tx)
  return rows[0]
}

/** True if the organisation has had an event, also one that was deleted and left its record. */
export async function hasEvents(tx: Tx, clientUid: ClientUid): Promise<boolean> {
  const { rows } = await sql`
    select from event where client_uid = ${clientUid} union all
    select from event_record where client_uid = ${clientUid} limit 1`.execute(tx)
  return rows.length > 0
}

/** The record of the demo's drill, once it is ready and as long as no one has added to it. */
export async function findBareRecord(tx: Tx, { clientUid }: DemoClient) {
  const { rows } = await sql<{ eventUid: EventUid; beganAt: Date }>`
    select r.event_uid, r.began_at from event_record r
    where r.client_uid = ${clientUid} and r.number = 1 and ${isOfDrill}
      and not exists (select from record_entry a where a.client_uid = r.client_uid and a.event_uid = r.event_uid)`.execute(
    tx,
  )
  return rows[0]
}

/** When the second event of the demo began, a week after the drill: that has its additions, and no one has started an event since. */
export async function findLaterStart(tx: Tx, { clientUid }: DemoClient): Promise<Date | undefined> {
  const { rows } = await sql<{ startAt: Date }>`
    select (r.began_at at time zone st.timezone + interval '7 days 5 hours') at time zone st.timezone as start_at
    from event_record r join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
    where r.client_uid = ${clientUid} and r.number = 1 and ${isOfDrill}
      and exists (select from record_entry a where a.client_uid = r.client_uid and a.event_uid = r.event_uid)
      and not exists (select from event e where e.client_uid = r.client_uid and e.uid <> r.event_uid)
      and not exists (select from event_record other where other.client_uid = r.client_uid and other.number > 1)`.execute(
    tx,
  )
  return rows[0]?.startAt
}

/** The record `r` is of the demo's drill: no other one is written days after its end. */
const isOfDrill = sql`r.state = 'ready' and r.ready_at > r.ended_at + interval '13 days'`

export type FloorCode = `TA/${'G' | 'L1' | 'L2' | 'L3' | 'L4' | 'L5' | 'L6'}` | `TB/${'G' | 'L1' | 'L2' | 'L3' | 'L4'}`

export interface DemoPlaces {
  eventTypes: Record<'DRILL' | 'FIRE', EventTypeUid>
  buildings: Record<'TA' | 'TB', BuildingUid>
  /** By building and floor, as in the import. */
  floors: Record<FloorCode, FloorUid>
  statuses: Record<'EVACUATING' | 'EVACUATED' | 'ASSISTANCE', FloorStatusUid>
}

export async function getPlaces(tx: Tx, clientUid: ClientUid): Promise<DemoPlaces> {
  const { rows } = await sql<DemoPlaces>`
    select (select jsonb_object_agg(code, uid) from event_type where client_uid = ${clientUid}) as event_types,
      (select jsonb_object_agg(code, uid) from building where client_uid = ${clientUid}) as buildings,
      (select jsonb_object_agg(b.code || '/' || f.code, f.uid) from floor f
        join building b on b.client_uid = f.client_uid and b.uid = f.building_uid where f.client_uid = ${clientUid}) as floors,
      (select jsonb_object_agg(code, uid) from floor_status where client_uid = ${clientUid}) as statuses`.execute(tx)
  const [places] = rows
  if (!places) throw new Error('the demo has no places')
  return places
}

/** The person of a line of the demo's people.csv. */
export async function getDemoPerson(tx: Tx, clientUid: ClientUid, code: string) {
  return tx
    .selectFrom('person')
    .select(['uid', 'accountUid', 'name'])
    .where('clientUid', '=', clientUid)
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
}

/** People of the event on the floor who are not recorded yet, by name. */
export async function listUnrecorded(tx: Tx, eventUid: EventUid, floorUid: FloorUid): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    select person_uid from evacuee where event_uid = ${eventUid} and floor_uid = ${floorUid} and active
      and status = 'unknown' order by sort_name, uid`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

/** What the phone company says of the texts that wait: most arrive, each after its own time. */
export async function deliverTexts(tx: Tx, eventUid: EventUid): Promise<void> {
  await sql`
    with nth as (
      select client_uid, uid, row_number() over (order by uid) as n from sms where event_uid = ${eventUid} and status = 'queued'
    )
    update sms set status = case when n % 31 = 7 then 'failed' when n % 29 = 11 then 'unconfirmed' else 'delivered' end,
      reason = case when n % 31 = 7 then 'The phone was not reachable.' end, gateway = 'simulator', attempts = 1,
      changed_at = created_at + make_interval(secs => 2 + n % 7 + case when n % 9 = 0 then 21 else 0 end)
    from nth where sms.client_uid = nth.client_uid and sms.uid = nth.uid`.execute(tx)
}

interface Span {
  from: Date
  to: Date
}
const told = ({ from, to }: Span) => ({ from: from.toISOString(), to: to.toISOString() })

/** What a worker tells that finds its last mark too old. */
export const noteOutage = (tx: Tx, clientUid: ClientUid, eventUid: EventUid, span: Span) =>
  record(tx, unattended(clientUid), {
    action: 'service_gap',
    subjectType: 'event',
    subjectUid: eventUid,
    eventUid,
    after: Object.assign(told(span), { what: 'server' }),
  })

/** What the hub tells when the phones of all wardens on duty come back. */
export async function noteSilence(tx: Tx, eventUid: EventUid, span: Span): Promise<void> {
  const { from, to } = told(span)
  await sql`
    insert into journal (client_uid, event_uid, actor_sign_in_uid, action, subject_type, subject_uid, before, after)
    select client_uid, event_uid, uid, 'contact_regained', 'sign_in', uid, jsonb_build_object('seen_at', ${from}::text),
      jsonb_build_object('seen_at', ${to}::text)
    from warden_sign_in where event_uid = ${eventUid} and on_duty`.execute(tx)
}

/** The phones of all wardens on duty were last in contact at that time. */
export async function noteContact(tx: Tx, eventUid: EventUid, at: Date): Promise<void> {
  await sql`
    insert into warden_contact (client_uid, sign_in_uid, seen_at)
    select client_uid, uid, ${at} from warden_sign_in where event_uid = ${eventUid} and on_duty`.execute(tx)
}

/** Written or told in this transaction, in which `now()` stands still. */
const fresh = sql`now() - interval '1 hour'`

type TimesOfTable = Awaited<ReturnType<typeof listTimesOfEvents>>[number]

/** True for a row that this transaction has written. What others wrote is sealed, or may be: it keeps its times. */
const isOwn = sql`xmin = pg_current_xact_id()::xid`

/** A statement that dates what this transaction has just written. Times told as before or after now keep their distance. */
function datingOf(tables: readonly TimesOfTable[], eventUid: EventUid, at: Date) {
  const parts = tables.map(({ name, key, times }, n) => {
    const columns = times.map((time) => sql.ref(time))
    const dated = columns.map(
      (time) => sql`${time} = case when ${time} between now() and clock_timestamp() then ${at}
        when ${time} > ${fresh} then ${time} + (${at}::timestamptz - now()) else ${time} end`,
    )
    const isFresh = columns.map((time) => sql`${time} > ${fresh}`)
    return sql`${sql.ref(`t${n}`)} as (update ${sql.table(name)} set ${sql.join(dated)}
      where ${sql.ref(key)} = ${eventUid} and ${isOwn} and (${sql.join(isFresh, sql` or `)}))`
  })
  return sql`with ${sql.join(parts)} select 1`
}

/** Tables with rows of one event, with their times. */
export async function listTimesOfEvents(db: Db) {
  const { rows } = await sql<{ name: string; key: string; times: string[] }>`
    select c.table_name as name, case when c.table_name = 'event' then 'uid' else 'event_uid' end as key,
      array_agg(c.column_name::text) as times
    from information_schema.columns c
    where c.table_schema = 'public' and c.data_type = 'timestamp with time zone'
      and c.table_name not in ('event_record', 'record_head')
      and (c.table_name = 'event' or exists (select from information_schema.columns k where k.table_schema = 'public'
        and k.table_name = c.table_name and k.column_name = 'event_uid'))
    group by 1 order by 1`.execute(db)
  return rows
}

/** Dates what was written since the last call as written at `at`. As the owner: no role of the product changes the journal. */
export async function dateRows(
  tx: Tx,
  tables: readonly TimesOfTable[],
  { eventUid, at }: { eventUid: EventUid; at: Date },
): Promise<void> {
  await asOwner(tx, () => datingOf(tables, eventUid, at).execute(tx))
}

async function asOwner(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await sql<{ role: string }>`select current_setting('role') as role`.execute(tx)
  await sql`set local role none`.execute(tx)
  await work()
  await sql`set local role ${sql.ref(rows[0]?.role ?? '')}`.execute(tx)
}

/** The entry of a dated addition has its commit as dated. As the owner. Nothing of it is sealed before the commit. */
export async function commitAddition(tx: Tx, eventUid: EventUid, uid: string, commit: string): Promise<void> {
  await asOwner(tx, () =>
    sql`
      update journal set after = after || jsonb_build_object('commit', ${commit}::text)
      where event_uid = ${eventUid} and action = 'record_entry_added' and after ->> 'entry_uid' = ${uid} and ${isOwn}`.execute(
      tx,
    ),
  )
}

/** The sessions of the drill end long ago, so that no one holds a token of theirs. */
export async function dateSessions(tx: Tx, uids: readonly string[], at: Date): Promise<void> {
  await sql`
    update session set created_at = created_at + (${at}::timestamptz - now()), expires_at = expires_at + (${at}::timestamptz - now())
    where uid = any (${uids}::uuid[])`.execute(tx)
  await sql`
    update journal set recorded_at = ${at} where subject_type = 'session' and subject_uid = any (${uids}::uuid[])`.execute(
    tx,
  )
}
