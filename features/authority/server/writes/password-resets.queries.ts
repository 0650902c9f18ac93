import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import { marked } from './marked.ts'

export async function voidResets(tx: Tx, email: string, now: Date): Promise<void> {
  await sql`${marked}
    update password_reset set voided_at = ${now}
    where lower(email) = ${email.toLowerCase()} and used_at is null and voided_at is null`.execute(tx)
}

export interface NewReset {
  uid: string
  accountUid: string | null
  /** The receiver of the link. Null if no one has the address. */
  email: string | null
  tokenHash: Buffer
  expiresAt: Date
}

export async function insertReset(tx: Tx, { uid, accountUid, email, tokenHash, expiresAt }: NewReset): Promise<void> {
  await sql`${marked}
    insert into password_reset (uid, account_uid, email, token_hash, expires_at)
    values (${uid}, ${accountUid}, ${email}, ${tokenHash}, ${expiresAt})`.execute(tx)
}

/** Uses the link. Only one of several concurrent attempts succeeds. */
export async function redeemReset(tx: Tx, uid: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`${marked}
    update password_reset set used_at = ${now}
    where uid = ${uid} and used_at is null and voided_at is null and expires_at > ${now}`.execute(tx)
  return numAffectedRows === 1n
}

/** Links for the account or one of these addresses, of someone who is erased. */
export async function deleteResets(tx: Tx, accountUid: string | null, emails: readonly string[]): Promise<void> {
  await sql`${marked}
    delete from password_reset where account_uid = ${accountUid} or lower(email) = any (${emails as string[]}::text[])`.execute(
    tx,
  )
}
