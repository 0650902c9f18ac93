import { type RawBuilder, sql } from 'kysely'
import type { PersonUid } from '#kernel/ids.ts'
import type { SignInMethod } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import type { Device } from '#server/platform/device.ts'

export interface NewSession {
  tokenHash: Buffer
  accountUid: string
  furtherAccountUids: string[]
  clientUid: string
  personUid: string
  assignmentUid: string
  signInMethod: SignInMethod
  isReportInToken: boolean
  signInUid: string | null
  device: Device | null
  expiresAt: Date
  addressLeftAt?: Date | null
}

export async function insertSession(tx: Tx, session: NewSession): Promise<string> {
  const { uid } = await tx.insertInto('session').values(session).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** Ends one session, as `revokeSessions` does. */
export const revokeOne = (tx: Tx, sessionUid: string) => revokeWhere(tx, sql`uid = ${sessionUid}`)

interface Left {
  accountUids: string[]
  device: Device | null
  unproved: boolean
  addressLeftAt: Date | null
}

/** Ends a session. Returns its accounts and device, or undefined if it has just been ended otherwise. */
export async function revokeSession(tx: Tx, sessionUid: string) {
  const { rows } = await sql<Left>`
    update session set revoked_at = now() where uid = ${sessionUid} and revoked_at is null
    returning account_uid || further_account_uids as account_uids, device, unproved, address_left_at`.execute(tx)
  return rows[0]
}

/** True if the session was opened within the last minutes. */
export async function isNewSession(system: Db, sessionUid: string, minutes: number): Promise<boolean> {
  const found = await system
    .selectFrom('session')
    .select('uid')
    .where('uid', '=', sessionUid)
    .where('createdAt', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst()
  return found !== undefined
}

export interface EndedSession {
  uid: string
  clientUid: string
  personUid: string
  /** The open participation of its assignment, whose sockets must close. */
  signInUid: string | null
  eventUid: string | null
}

/** Ends the sessions that act as these accounts. Sessions that act as another account lose them. */
export async function revokeSessions(tx: Tx, accountUids: readonly string[]): Promise<EndedSession[]> {
  await sql`
    update session set further_account_uids = array(
      select uid from unnest(further_account_uids) uid where uid <> all (${accountUids}::uuid[]))
    where further_account_uids && ${accountUids}::uuid[] and revoked_at is null`.execute(tx)
  return revokeWhere(tx, sql`account_uid = any (${accountUids}::uuid[])`)
}

/** An account, and which of the addresses that it had someone else has changed. */
export interface LeftAddresses {
  accountUid: string
  mobile: boolean
  email: boolean
  username: boolean
}

/** An email session may have been opened by a user name with an @, or from the console by either. */
const openedByLeft = sql`(
  (s.sign_in_method = 'Mobile' and i.mobile) or (s.sign_in_method = 'Email' and (i.email or i.username))
  or (s.sign_in_method = 'Username' and i.username))`

/**
 * Ends the sessions that such an address opened. Sessions that act as another account lose this one. While their warden is on duty at one
 * of their cards they are marked instead, and end with that duty.
 */
export async function revokeLeft(tx: Tx, left: readonly LeftAddresses[]): Promise<EndedSession[]> {
  const accounts = recordset(left, { accountUid: 'uuid', mobile: 'boolean', email: 'boolean', username: 'boolean' })
  await sql`
    update session s set address_left_at = clock_timestamp() from ${accounts}
    where i.account_uid = any (s.account_uid || s.further_account_uids) and ${openedByLeft}
      and s.revoked_at is null and s.expires_at > now() and s.address_left_at is null and exists (
        select from person p
        join warden_assignment a on a.client_uid = p.client_uid and a.person_uid = p.uid
        join warden_sign_in si on si.client_uid = a.client_uid and si.assignment_uid = a.uid and si.closed_at is null
        where p.account_uid = any (s.account_uid || s.further_account_uids) and si.on_duty)`.execute(tx)
  await sql`
    update session s set further_account_uids = array_remove(s.further_account_uids, i.account_uid) from ${accounts}
    where i.account_uid = any (s.further_account_uids) and ${openedByLeft}
      and s.revoked_at is null and s.address_left_at is null`.execute(tx)
  return revokeWhere(
    tx,
    sql`uid in (select s.uid from session s join ${accounts} on i.account_uid = s.account_uid
      where ${openedByLeft} and s.revoked_at is null and s.address_left_at is null)`,
  )
}

/** Report-in links that went to numbers which these accounts no longer have open no further session. */
export async function expireLinksOfLeft(tx: Tx, left: readonly LeftAddresses[]): Promise<void> {
  const accounts = left.filter(({ mobile }) => mobile).map(({ accountUid }) => accountUid)
  await sql`
    update report_in_link l set expires_at = now() from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where p.account_uid = any (${accounts}::uuid[]) and si.closed_at is null
      and l.client_uid = si.client_uid and l.sign_in_uid = si.uid and l.expires_at > now()`.execute(tx)
}

/** Ends up to `most` sessions of the organisation. */
export const revokeSessionsOf = (tx: Tx, clientUid: string, most: number) =>
  revokeWhere(
    tx,
    sql`uid in (select uid from session where client_uid = ${clientUid} and revoked_at is null and expires_at > now()
      limit ${most})`,
  )

async function revokeWhere(tx: Tx, isMeant: RawBuilder<unknown>): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    with ended as (
      update session set revoked_at = now()
      where ${isMeant} and revoked_at is null and expires_at > now()
      returning uid, client_uid, person_uid, assignment_uid
    )
    select s.uid, s.client_uid, s.person_uid, si.uid as sign_in_uid, si.event_uid
    from ended s
    left join warden_sign_in si on si.client_uid = s.client_uid and si.assignment_uid = s.assignment_uid
      and si.closed_at is null`.execute(tx)
  return rows
}

/**
 * Locks these accounts until the transaction ends. Returns those that are active and still have the given hash, if any. A
 * new password waits, and then ends the session that is made here.
 */
export async function holdAccounts(
  tx: Tx,
  accounts: readonly { uid: string; passwordHash?: string }[],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('account')
    .select(['uid', 'passwordHash'])
    .where(sql<boolean>`uid = any (${accounts.map(({ uid }) => uid)}::uuid[])`)
    .where('active', '=', true)
    .orderBy('uid')
    .forShare()
    .execute()
  const wanted = new Map(accounts.map(({ uid, passwordHash }) => [uid, passwordHash]))
  return rows
    .filter(({ uid, passwordHash }) => (wanted.get(uid) ?? passwordHash) === passwordHash)
    .map(({ uid }) => uid)
}

/** A manager who starts an event at another of their sites acts there afterwards. */
export async function setSessionAssignment(tx: Tx, sessionUid: string, assignmentUid: string): Promise<void> {
  await tx.updateTable('session').set({ assignmentUid }).where('uid', '=', sessionUid).execute()
}

/** Accounts by email or username, ignoring case, at most one per organisation. */
export function listAccountsNamed(system: Db, entry: string) {
  return system
    .selectFrom('account as a')
    .leftJoin('client as c', 'c.uid', 'a.ownerClientUid')
    .select(['a.uid', 'a.passwordHash', 'c.movedTo'])
    .where('a.active', '=', true)
    .where((eb) =>
      eb.or([eb(sql`lower(a.email)`, '=', entry.toLowerCase()), eb(sql`lower(a.username)`, '=', entry.toLowerCase())]),
    )
    .execute()
}

export function findProfile(tx: Tx, personUid: PersonUid) {
  return tx
    .selectFrom('person')
    .select(['firstName', 'lastName', 'email', 'mobile', 'isClientMaster', 'clientUid', 'primaryFloorUid'])
    .where('uid', '=', personUid)
    .executeTakeFirst()
}
