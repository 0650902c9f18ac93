import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import { byHash } from '../stored/write.queries.ts'

export interface AccountValues {
  uid: string
  email: string | null
  username: string | null
  mobile: string | null
  passwordHash: string | null
  importedPasswordHash: string | null
}

/** An account of this client. */
export interface ExistingAccount extends AccountValues {
  /** The person of the account. Null once the person has become a visitor. */
  people: string[]
  /** Those of them who are active staff. */
  staff: string[]
}

interface Wanted {
  clientUid: string
  uids: readonly string[]
  /** Lower case. */
  emails: readonly string[]
  /** Lower case. */
  usernames: readonly string[]
  mobiles: readonly string[]
}

/**
 * The client's accounts with these uids or identifiers. Each branch uses its own index. An import neither reads nor changes
 * accounts of other clients.
 */
export async function listAccounts(
  db: Db,
  { clientUid, uids, emails, usernames, mobiles }: Wanted,
): Promise<ExistingAccount[]> {
  const { rows } = await sql<ExistingAccount>`
    with found as (
      select uid from account where uid = any (${uids}::uuid[])
      union select uid from account where lower(email) = any (${emails}::text[])
      union select uid from account where lower(username) = any (${usernames}::text[])
      union select uid from account where mobile = any (${mobiles}::text[])
    ), people as (
      select account_uid, array_agg(uid) as list,
        array_agg(uid) filter (where active and kind = 'staff') as staff
      from person where account_uid in (select uid from found) group by account_uid
    )
    select a.uid, a.email, a.username, a.mobile, a.password_hash, a.imported_password_hash,
      coalesce(people.list, '{}') as people, coalesce(people.staff, '{}') as staff
    from found join account a using (uid) left join people on people.account_uid = a.uid
    where a.owner_client_uid = ${clientUid}`.execute(db)
  return rows
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

/** Clears sign-in names of accounts that pass them to others in this run. `updateAccounts` writes the new ones. */
export async function releaseIdentifiers(tx: Tx, clientUid: string, accountUids: readonly string[]): Promise<void> {
  await sql`
    update account set email = null, username = null, mobile = null
    where owner_client_uid = ${clientUid} and uid = any (${accountUids}::uuid[])`.execute(tx)
}

/**
 * Updates accounts. A password that was changed after the files were read stays, because checking thousands takes a while.
 * Locks and returns the accounts with a new password, so that the old one opens no further session.
 */
export async function updateAccounts(tx: Tx, clientUid: string, accounts: readonly AccountUpdate[]): Promise<string[]> {
  const { rows } = await sql<{ uid: string; hasNewPassword: boolean }>`
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
  await sql`
    insert into account (uid, owner_client_uid, email, username, mobile, password_hash, imported_password_hash)
    select i.uid, ${clientUid}, i.email, i.username, i.mobile, i.password_hash, i.imported_password_hash
    from ${recordset(accounts, accountColumns)}`.execute(tx)
}

/** People who are not in people.csv and became wardens. */
export async function linkAccounts(
  tx: Tx,
  clientUid: string,
  links: readonly { uid: string; accountUid: string | null }[],
): Promise<void> {
  await byHash(
    tx,
    sql`
    update person t set account_uid = i.account_uid, updated_at = now()
    from ${recordset(links, { uid: 'uuid', accountUid: 'uuid' })}
    where t.client_uid = ${clientUid} and t.uid = i.uid`,
  )
}
