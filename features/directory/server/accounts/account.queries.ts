import { sql } from 'kysely'
import type { AccountValues } from '#features/authority/server/writes/accounts.queries.ts'
import type { Db } from '#server/platform/db/db.ts'

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
