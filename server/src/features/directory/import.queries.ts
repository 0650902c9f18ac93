import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import type { Written } from './write.queries.ts'

/** One import at a time: what it read before its transaction is still so when it writes. Held until unlockImports. */
export async function lockImports(session: Db): Promise<void> {
  await sql`select pg_advisory_lock(hashtext('evac import'))`.execute(session)
}

export async function unlockImports(session: Db): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext('evac import'))`.execute(session)
}

export async function listClientCodes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('client').select('code').execute()
  return rows.map(({ code }) => code)
}

export interface ClientValues {
  uid: string
  code: string
  name: string
  smsAllowed: boolean
  timezone: string
  country: string
}

/** Columns not in `columns` keep their value. */
export async function writeClient(tx: Tx, values: ClientValues, columns: ReadonlySet<string>): Promise<Written> {
  const { uid, code, name, smsAllowed, timezone, country } = values
  const own = {
    name,
    ...(columns.has('sms_allowed') && { smsAllowed }),
    ...(columns.has('timezone') && { timezone }),
    ...(columns.has('country') && { country }),
  }
  const held = await tx
    .selectFrom('client')
    .select(['name', 'smsAllowed', 'timezone', 'country'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!held) {
    await tx
      .insertInto('client')
      .values({ uid, code, ...own })
      .execute()
    return { created: 1, updated: 0 }
  }
  const differs = Object.entries(own).some(([column, value]) => held[column as keyof typeof held] !== value)
  if (differs)
    await tx
      .updateTable('client')
      .set({ ...own, updatedAt: sql`now()` })
      .where('code', '=', code)
      .execute()
  return { created: 0, updated: differs ? 1 : 0 }
}

/** Accounts that move between people would meet `unique (client_uid, account_uid)` row by row. */
export async function unlinkAccounts(tx: Tx, clientUid: string, personUids: readonly string[]): Promise<void> {
  await sql`
    update person set account_uid = null where client_uid = ${clientUid} and uid = any (${personUids}::uuid[])`.execute(
    tx,
  )
}

export async function endPeople(tx: Tx, clientUid: string, personUids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update person set active = false, updated_at = now()
    where client_uid = ${clientUid} and uid = any (${personUids}::uuid[]) and active`.execute(tx)
  return Number(numAffectedRows)
}

export async function endPeeps(tx: Tx, clientUid: string, personUids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update peep set active = false, updated_at = now()
    where client_uid = ${clientUid} and person_uid = any (${personUids}::uuid[]) and active`.execute(tx)
  return Number(numAffectedRows)
}

export interface OnDuty {
  assignmentUid: string
  personUid: string
}

/** Wardens at their post in a running event: nobody takes them off it from outside (AMB-067). */
export async function listOnDuty(db: Db, clientUid: string): Promise<OnDuty[]> {
  const { rows } = await sql<OnDuty>`
    select si.assignment_uid, si.person_uid
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    where si.client_uid = ${clientUid} and si.on_duty and si.closed_at is null`.execute(db)
  return rows
}

export interface ManagerPost {
  assignmentUid: string
  roleUid: string
  areaDomain: 'Site' | 'Building' | 'Floor' | 'Area'
  modules: string[]
}

/** Who has a place in a running event by a role that may end it, on duty or not. */
export async function listManagerPosts(tx: Tx, clientUid: string): Promise<ManagerPost[]> {
  const { rows } = await sql<ManagerPost>`
    select si.assignment_uid, r.uid as role_uid, r.area_domain, r.modules
    from warden_sign_in si
    join event e on e.client_uid = si.client_uid and e.uid = si.event_uid and e.ended_at is null
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Event_Management' = any (r.modules)
    where si.client_uid = ${clientUid} and si.closed_at is null`.execute(tx)
  return rows
}

/** Holds the places of these assignments and people in running events until the transaction ends; answers who is on duty. */
export async function lockPosts(
  tx: Tx,
  clientUid: string,
  assignmentUids: readonly string[],
  personUids: readonly string[],
): Promise<OnDuty[]> {
  const { rows } = await sql<OnDuty & { onDuty: boolean }>`
    select assignment_uid, person_uid, on_duty from warden_sign_in
    where client_uid = ${clientUid} and closed_at is null
      and (assignment_uid = any (${assignmentUids}::uuid[]) or person_uid = any (${personUids}::uuid[]))
    order by uid for update`.execute(tx)
  return rows.filter(({ onDuty }) => onDuty)
}
