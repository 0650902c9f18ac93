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
