import type { SignInMethod } from '@evac/contract/vocabulary.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

export interface NewSession {
  tokenHash: Buffer
  accountUid: string
  clientUid: string
  personUid: string
  assignmentUid: string
  signInMethod: SignInMethod
  isReportInToken: boolean
  signInUid: string | null
  expiresAt: Date
}

export async function insertSession(tx: Tx, session: NewSession): Promise<string> {
  const { uid } = await tx.insertInto('session').values(session).returning('uid').executeTakeFirstOrThrow()
  return uid
}

/** Ends a session; false when somebody else just did. */
export async function revokeSession(tx: Tx, sessionUid: string): Promise<boolean> {
  const ended = await tx
    .updateTable('session')
    .set({ revokedAt: sql`now()` })
    .where('uid', '=', sessionUid)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

/** Was this session opened within the last minutes? */
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
  /** The open sign-in at its assignment, whose sockets it may have opened. */
  signInUid: string | null
  eventUid: string | null
}

/** Ends whatever sessions the account has. */
export async function revokeSessions(tx: Tx, accountUid: string): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    with ended as (
      update session set revoked_at = now()
      where account_uid = ${accountUid} and revoked_at is null and expires_at > now()
      returning uid, client_uid, person_uid, assignment_uid
    )
    select s.uid, s.client_uid, s.person_uid, si.uid as sign_in_uid, si.event_uid
    from ended s
    left join warden_sign_in si on si.client_uid = s.client_uid and si.assignment_uid = s.assignment_uid
      and si.closed_at is null`.execute(tx)
  return rows
}

/**
 * Holds the account as it is until the transaction ends; false when it is no longer active, or has another password than
 * the one that was just checked. A new password waits, and then ends the session made here.
 */
export async function holdAccount(tx: Tx, accountUid: string, passwordHash?: string): Promise<boolean> {
  const account = tx.selectFrom('account').select('uid').where('uid', '=', accountUid).where('active', '=', true)
  const wanted = passwordHash === undefined ? account : account.where('passwordHash', '=', passwordHash)
  return (await wanted.forShare().executeTakeFirst()) !== undefined
}

export async function setSessionAssignment(tx: Tx, sessionUid: string, assignmentUid: string): Promise<void> {
  await tx.updateTable('session').set({ assignmentUid }).where('uid', '=', sessionUid).execute()
}

/** By email or username, whatever the letter case. */
export function findAccount(system: Db, entry: string) {
  return system
    .selectFrom('account')
    .select(['uid', 'passwordHash', 'active'])
    .where((eb) =>
      eb.or([eb(sql`lower(email)`, '=', entry.toLowerCase()), eb(sql`lower(username)`, '=', entry.toLowerCase())]),
    )
    .executeTakeFirst()
}

export function findProfile(tx: Tx, personUid: string) {
  return tx
    .selectFrom('person')
    .select(['firstName', 'lastName', 'email', 'mobile', 'isClientMaster', 'clientUid', 'primaryFloorUid'])
    .where('uid', '=', personUid)
    .executeTakeFirst()
}
