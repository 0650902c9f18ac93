import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import { noteAccounts } from '../in-act.service.ts'
import { marked } from './marked.ts'

export interface AccountValues {
  uid: string
  email: string | null
  username: string | null
  mobile: string | null
  passwordHash: string | null
  importedPasswordHash: string | null
}

const accountColumns = {
  uid: 'uuid',
  email: 'text',
  username: 'text',
  mobile: 'text',
  passwordHash: 'text',
  importedPasswordHash: 'text',
} as const

/** The planned account, and its password hash when the files were read. */
export interface AccountUpdate extends AccountValues {
  heldPasswordHash: string | null
}

/** What these accounts can be signed in to with, by account. */
export async function listAccountNames(tx: Tx, clientUid: string, accounts: readonly { uid: string }[]) {
  if (accounts.length === 0) return new Map<string, never>()
  const uids = accounts.map(({ uid }) => uid)
  const { rows } = await sql<Pick<AccountValues, 'uid' | 'email' | 'username' | 'mobile'>>`
    select uid, email, username, mobile from account
    where owner_client_uid = ${clientUid} and uid = any (${uids}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.uid, row]))
}

export async function findAccountOf(tx: Tx, clientUid: string, personUid: PersonUid): Promise<string | null> {
  const { rows } = await sql<{ accountUid: string | null }>`
    select account_uid from person where client_uid = ${clientUid} and uid = ${personUid}`.execute(tx)
  return rows[0]?.accountUid ?? null
}

/** Clears sign-in names of accounts that pass them to others in this run. `updateAccounts` writes the new ones. */
export async function releaseIdentifiers(tx: Tx, clientUid: string, accountUids: readonly string[]): Promise<void> {
  noteAccounts(tx, accountUids)
  await sql`${marked}
    update account set email = null, username = null, mobile = null
    where owner_client_uid = ${clientUid} and uid = any (${accountUids}::uuid[])`.execute(tx)
}

/**
 * Updates accounts. A password that was changed after the files were read stays, because checking thousands takes a while.
 * Locks and returns the accounts with a new password, so that the old one opens no further session.
 */
export async function updateAccounts(tx: Tx, clientUid: string, accounts: readonly AccountUpdate[]): Promise<string[]> {
  noteAccounts(
    tx,
    accounts.map(({ uid }) => uid),
  )
  const { rows } = await sql<{ uid: string; hasNewPassword: boolean }>`${marked}
    update account t set email = i.email, username = i.username, mobile = i.mobile,
      password_hash = case when t.password_hash is distinct from i.held_password_hash then t.password_hash else i.password_hash end,
      imported_password_hash = i.imported_password_hash, updated_at = now()
    from ${recordset(accounts, { ...accountColumns, heldPasswordHash: 'text' })}
    where t.owner_client_uid = ${clientUid} and t.uid = i.uid
    returning t.uid, i.held_password_hash <> i.password_hash and t.password_hash = i.password_hash as has_new_password`.execute(
    tx,
  )
  return rows.filter(({ hasNewPassword }) => hasNewPassword).map(({ uid }) => uid)
}

export async function insertAccounts(tx: Tx, clientUid: string, accounts: readonly AccountValues[]): Promise<void> {
  await sql`${marked}
    insert into account (uid, owner_client_uid, email, username, mobile, password_hash, imported_password_hash)
    select i.uid, ${clientUid}, i.email, i.username, i.mobile, i.password_hash, i.imported_password_hash
    from ${recordset(accounts, accountColumns)}`.execute(tx)
}

/** People and the account that each signs in with. */
export async function linkAccounts(
  tx: Tx,
  clientUid: string,
  links: readonly { uid: string; accountUid: string | null }[],
): Promise<void> {
  noteAccounts(
    tx,
    links.map(({ accountUid }) => accountUid),
  )
  // a join by loops is quadratic while the statistics do not know the organisation
  await sql`set local enable_nestloop = off`.execute(tx)
  await sql`${marked}
    update person t set account_uid = i.account_uid, updated_at = now()
    from ${recordset(links, { uid: 'uuid', accountUid: 'uuid' })}
    where t.client_uid = ${clientUid} and t.uid = i.uid`.execute(tx)
  await sql`set local enable_nestloop = on`.execute(tx)
}

/** An account for someone who had none. Undefined if another account has the e-mail or mobile. */
export async function insertAccount(
  tx: Tx,
  account: { ownerClientUid: ClientUid; email: string; mobile: string | null; passwordHash?: string },
  personUid: PersonUid,
): Promise<string | undefined> {
  const { ownerClientUid, email, mobile, passwordHash = null } = account
  const { rows } = await sql<{ uid: string }>`${marked}
    insert into account (owner_client_uid, email, mobile, password_hash)
    values (${ownerClientUid}, ${email}, ${mobile}, ${passwordHash}) on conflict do nothing returning uid`.execute(tx)
  const uid = rows[0]?.uid
  if (!uid) return undefined
  noteAccounts(tx, [uid])
  await sql`${marked}
    update person set account_uid = ${uid}, updated_at = now() where client_uid = ${ownerClientUid} and uid = ${personUid}`.execute(
    tx,
  )
  return uid
}

/** The account opens nothing any more, and its names are free. */
export async function endAccount(tx: Tx, uid: string): Promise<void> {
  noteAccounts(tx, [uid])
  await sql`${marked} delete from recovery_code where account_uid = ${uid}`.execute(tx)
  await sql`${marked} delete from second_factor where account_uid = ${uid}`.execute(tx)
  await sql`${marked}
    update account set email = null, username = null, mobile = null, password_hash = null,
      imported_password_hash = null, shown_password_hash = null, shown_to_person_uid = null,
      merged_password_hash = null, merged_by_person_uid = null, merged_at = null, active = false,
      updated_at = now() where uid = ${uid}`.execute(tx)
}

interface OfInvitation {
  accountUid: string
  shownToPersonUid: PersonUid | null
}

/**
 * Sets the first password. False if the account has got one meanwhile: an invitation replaces none. Of a link that an administrator
 * has seen the hash is kept, which tells such a password from a later one.
 */
export async function setFirstPassword(
  tx: Tx,
  { accountUid, shownToPersonUid }: OfInvitation,
  passwordHash: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`${marked}
    update account set password_hash = ${passwordHash}, shown_to_person_uid = ${shownToPersonUid},
      shown_password_hash = case when ${shownToPersonUid}::uuid is not null then ${passwordHash} end, updated_at = now()
    where uid = ${accountUid} and password_hash is null and active`.execute(tx)
  return numAffectedRows === 1n
}

/** Keeps the hash of a password that another person has set before the merge, which tells it from a later one. */
export async function markMergedPassword(tx: Tx, accountUid: string, byPersonUid: PersonUid): Promise<void> {
  await sql`${marked}
    update account set merged_password_hash = password_hash, merged_by_person_uid = ${byPersonUid}, merged_at = now()
    where uid = ${accountUid}`.execute(tx)
}

/** Takes away a password that someone else may know. */
export async function voidKnownPassword(tx: Tx, accountUid: string): Promise<void> {
  noteAccounts(tx, [accountUid])
  await sql`${marked}
    update account set password_hash = null, shown_password_hash = null, shown_to_person_uid = null,
      merged_password_hash = null, merged_by_person_uid = null, merged_at = null, updated_at = now()
    where uid = ${accountUid} and password_hash in (shown_password_hash, merged_password_hash)`.execute(tx)
}

/** Keeps the hash of the last import, so that the next import sees that the password was changed since. */
export async function setPasswordHash(tx: Tx, accountUids: readonly string[], passwordHash: string): Promise<void> {
  await sql`${marked}
    update account set password_hash = ${passwordHash}, updated_at = now() where uid = any (${accountUids}::uuid[])`.execute(
    tx,
  )
}
