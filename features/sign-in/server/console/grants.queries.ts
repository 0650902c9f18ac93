import { sql } from 'kysely'
import type { AdministratorUid, ClientUid, PersonUid } from '#kernel/ids.ts'
import { passwordDigest } from '#server/administrators/live-console-session.ts'
import type { Db } from '#server/platform/db/db.ts'

/** An account that may enter the console. */
export interface Grant {
  accountUid: string
  clientUid: ClientUid
  personUid: PersonUid
  administratorUid: AdministratorUid
  organisation: string
  /** What stands under the organisation in an authenticator. */
  signInName: string
  passwordDigest: Buffer
  hasSecondFactor: boolean
}

/** Accounts of administrators, each with the digest of its password as it is now: `ac`, `c`, `p` and `g` must be live. */
export const liveGrant = sql`
    join client c on c.uid = ac.owner_client_uid and c.active
    join person p on p.client_uid = ac.owner_client_uid and p.account_uid = ac.uid and p.active
    join administrator g on g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null`

export const grantColumns = sql`
    ac.uid as account_uid, p.client_uid, p.uid as person_uid, g.uid as administrator_uid, c.name as organisation,
    coalesce(ac.email, ac.username, '') as sign_in_name, ${passwordDigest} as password_digest,
    exists (select from second_factor f where f.account_uid = ac.uid) as has_second_factor`

/**
 * The accounts among these whose person is an administrator, that of the latest console session first. An account whose
 * password has changed since its digest was taken is left out.
 */
export async function listGrants(
  system: Db,
  accounts: readonly { accountUid: string; digest: Buffer }[],
): Promise<Grant[]> {
  const { rows } = await sql<Grant>`
    select ${grantColumns}
    from unnest(${accounts.map(({ accountUid }) => accountUid)}::uuid[],
      ${accounts.map(({ digest }) => digest)}::bytea[]) as proven (account_uid, digest)
    join account ac on ac.uid = proven.account_uid and ac.active and ${passwordDigest} = proven.digest
    ${liveGrant}
    order by (select max(s.seen_at) from console_session s where s.account_uid = ac.uid) desc nulls last,
      g.granted_at, c.name`.execute(system)
  return rows
}
