import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/** Lets one import of an organisation run at a time, so that no other import changes what this one has read. Held until `unlockImport`. */
export async function lockImport(session: Db, code: string): Promise<void> {
  await sql`select pg_advisory_lock(hashtext('evac import'), hashtext(${code}))`.execute(session)
}

export async function unlockImport(session: Db, code: string): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext('evac import'), hashtext(${code}))`.execute(session)
}

/** The same lock until the transaction ends, for a change that reads only what it names. Fails after the wait with 55P03. */
export async function lockDirectory(tx: Tx, code: string, waitMs: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext('evac import'), hashtext(${code}))`.execute(tx)
}

/** How far the upload is that is being applied to the organisation. */
export const findApplying = (tx: Tx, clientUid: ClientUid) =>
  tx
    .selectFrom('upload')
    .select(['done', 'total'])
    .where('clientUid', '=', clientUid)
    .where('state', 'in', ['applying', 'undoing'])
    .executeTakeFirst()

/** Takes the next free codes 'P-000001' and so on. */
export async function takePersonCodes(tx: Tx, clientUid: ClientUid, count: number): Promise<string[]> {
  for (;;) {
    const last = await takePersonNumbers(tx, clientUid, count)
    const codes = Array.from({ length: count }, (_, n) => `P-${String(last - count + 1 + n).padStart(6, '0')}`)
    if ((await listTakenCodes(tx, clientUid, codes)).length === 0) return codes
    await skipPersonNumbers(tx, clientUid)
  }
}

/** Takes the next numbers for codes of people. Returns the last of them. */
async function takePersonNumbers(tx: Tx, clientUid: ClientUid, count: number): Promise<number> {
  const { lastPersonNumber } = await tx
    .updateTable('client')
    .set((eb) => ({ lastPersonNumber: eb('lastPersonNumber', '+', count) }))
    .where('uid', '=', clientUid)
    .returning('lastPersonNumber')
    .executeTakeFirstOrThrow()
  return lastPersonNumber
}

/** Makes the next number follow the highest that someone's code has. Reads all codes, which only foreign codes make necessary. */
async function skipPersonNumbers(tx: Tx, clientUid: ClientUid): Promise<void> {
  await sql`
    update client set last_person_number = (
      select coalesce(max(substr(code, 3)::integer), 0) from person
      where client_uid = ${clientUid} and code ~ '^P-[0-9]{6,9}$')
    where uid = ${clientUid}`.execute(tx)
}

async function listTakenCodes(tx: Tx, clientUid: ClientUid, codes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select code from person where client_uid = ${clientUid} and code = any (${codes}::text[])`.execute(tx)
  return rows.map(({ code }) => code)
}

/** Makes the connection of a killed importer end within seconds, with its locks. */
export async function endWithClient(session: Db): Promise<void> {
  await sql`set idle_in_transaction_session_timeout = '30s'`.execute(session)
  // not supported on every system
  await sql`set client_connection_check_interval = '1s'`.execute(session).catch(() => undefined)
}

/** Organisations with a demo address and an account that can sign in. Real addresses never end in `.test`. */
export async function listDemoCodes(db: Db, codes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select c.code from client c join person p on p.client_uid = c.uid join account a on a.uid = p.account_uid
    where c.code = any (${codes}::text[])
    group by c.code having bool_or(a.active) and bool_or(a.email ~* '@(harbour|riverside)[.]test$') order by 1`.execute(
    db,
  )
  return rows.map(({ code }) => code)
}

export interface OnDuty {
  assignmentUid: string
  personUid: string
  roleUid: string
}

/** Wardens on duty in a running event. No one else takes them off duty. */
export async function listOnDuty(db: Db, clientUid: string): Promise<OnDuty[]> {
  const { rows } = await sql<OnDuty>`
    select si.assignment_uid, si.person_uid, a.role_uid
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    where si.client_uid = ${clientUid} and si.on_duty and si.closed_at is null`.execute(db)
  return rows
}

export interface RunningEvent {
  siteUid: string
  site: string
  eventTypeUid: string
}

export async function listRunningEvents(db: Db, clientUid: string): Promise<RunningEvent[]> {
  const { rows } = await sql<RunningEvent>`
    select e.site_uid, st.name as site, e.event_type_uid
    from event e join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where e.client_uid = ${clientUid} and e.ended_at is null order by st.name`.execute(db)
  return rows
}

export interface ManagerPost {
  assignmentUid: string
  roleUid: string
  areaDomain: 'Site' | 'Building' | 'Floor' | 'Area'
  modules: string[]
}

/** People who participate in a running event with a role that may end it, on duty or not. */
export async function listManagerPosts(db: Db, clientUid: string): Promise<ManagerPost[]> {
  const { rows } = await sql<ManagerPost>`
    select si.assignment_uid, r.uid as role_uid, r.area_domain, r.modules
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Event_Management' = any (r.modules)
    where si.client_uid = ${clientUid} and si.closed_at is null`.execute(db)
  return rows
}

/** Locks the participations of these assignments and people in running events until the transaction ends. Returns those on duty. */
export async function lockPosts(
  tx: Tx,
  clientUid: string,
  assignmentUids: readonly string[],
  personUids: readonly string[],
): Promise<Omit<OnDuty, 'roleUid'>[]> {
  const { rows } = await sql<Omit<OnDuty, 'roleUid'> & { onDuty: boolean }>`
    select assignment_uid, person_uid, on_duty from warden_sign_in
    where client_uid = ${clientUid} and closed_at is null
      and (assignment_uid = any (${assignmentUids}::uuid[]) or person_uid = any (${personUids}::uuid[]))
    order by uid for update`.execute(tx)
  return rows.filter(({ onDuty }) => onDuty)
}

/** The running events of the client, or those at the sites of these places, with one of the places. */
export async function listEventsOf(
  tx: Tx,
  clientUid: string,
  places?: { kind: 'site' | 'building' | 'floor'; uids: readonly string[] },
): Promise<{ eventUid: string; uid: string }[]> {
  const building = sql`join building b on b.client_uid = e.client_uid and b.site_uid = e.site_uid`
  const joins = {
    site: sql`join unnest(${places?.uids ?? []}::uuid[]) t (uid) on t.uid = e.site_uid`,
    building: sql`${building} join unnest(${places?.uids ?? []}::uuid[]) t (uid) on t.uid = b.uid`,
    floor: sql`${building} join floor f on f.client_uid = b.client_uid and f.building_uid = b.uid
      join unnest(${places?.uids ?? []}::uuid[]) t (uid) on t.uid = f.uid`,
  }
  const { rows } = await sql<{ eventUid: string; uid: string }>`
    select distinct on (e.uid) e.uid as event_uid, ${places ? sql`t.uid` : sql`e.client_uid as uid`}
    from event e ${places ? joins[places.kind] : sql``}
    where e.client_uid = ${clientUid} and e.ended_at is null order by e.uid`.execute(tx)
  return rows
}

/** Where these people have to be accounted for, and where they participate as wardens, in running events. */
export async function listPeopleInEvents(
  tx: Tx,
  clientUid: string,
  personUids: readonly string[],
): Promise<{ eventUid: string; personUid: string; signInUid: string | null }[]> {
  const { rows } = await sql<{ eventUid: string; personUid: string; signInUid: string | null }>`
    with running as materialized (select uid from event where client_uid = ${clientUid} and ended_at is null),
      asked as materialized (select unnest(${personUids}::uuid[]) as uid)
    select v.event_uid, v.person_uid, null::uuid as sign_in_uid from running e
    join evacuee v on v.client_uid = ${clientUid} and v.event_uid = e.uid and v.active
    where v.person_uid in (select uid from asked)
    union all select si.event_uid, si.person_uid, si.uid from running e
    join warden_sign_in si on si.client_uid = ${clientUid} and si.event_uid = e.uid and si.closed_at is null
    where si.person_uid in (select uid from asked)`.execute(tx)
  return rows
}
