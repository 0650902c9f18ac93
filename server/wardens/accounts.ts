import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db/db.ts'

/** How a person who signs in is found: by the email or by the mobile number, in the stored spelling. */
export type AccountKey = { email: string } | { mobile: string }

const accountsOf = (db: Db, key: AccountKey) => {
  const active = db.selectFrom('account').select('uid').where('active', '=', true).orderBy('uid')
  return 'mobile' in key
    ? active.where('mobile', '=', key.mobile)
    : active.where(sql`lower(email)`, '=', key.email.toLowerCase())
}

/** Locks the active accounts of this key, at most one per organisation. Requests and changes for one key take turns. */
export async function lockAccounts(tx: Tx, key: AccountKey): Promise<string[]> {
  return (await accountsOf(tx, key).forNoKeyUpdate().execute()).map(({ uid }) => uid)
}

/** Locks the active accounts of this key against changes of email and number. Readers and other holders do not wait. */
export async function holdAccounts(tx: Tx, key: AccountKey): Promise<string[]> {
  return (await accountsOf(tx, key).forShare().execute()).map(({ uid }) => uid)
}
