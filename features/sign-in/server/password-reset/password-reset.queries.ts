import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

/** The oldest account with this address that has an active person, with the names for the greeting. */
export async function findByEmail(system: Db, email: string) {
  const { rows } = await sql<{ uid: string; email: string; firstName: string; lastName: string }>`
    select a.uid, a.email, p.first_name, p.last_name from account a
    join person p on p.account_uid = a.uid and p.active
    join client c on c.uid = p.client_uid and c.active
    where lower(a.email) = ${email} and a.active
    order by p.created_at, p.uid limit 1`.execute(system)
  return rows[0]
}

export interface OpenReset {
  uid: string
  email: string
  usernames: string[]
  /** One account per organisation with the address, the oldest first. */
  people: { accountUid: string; clientUid: string; personUid: string; firstName: string; lastName: string }[]
}

/** The valid reset of a token, with the accounts that have the link's address now. */
export async function findOpenReset(system: Db, tokenHash: Buffer, now: Date): Promise<OpenReset | undefined> {
  const { rows } = await sql<OpenReset>`
    select r.uid, r.email, coalesce(array_agg(a.username) filter (where a.username is not null), '{}') as usernames,
      jsonb_agg(jsonb_build_object('accountUid', a.uid, 'clientUid', p.client_uid, 'personUid', p.uid, 'firstName', p.first_name,
        'lastName', p.last_name) order by p.created_at, p.uid) as people
    from password_reset r
    join account a on lower(a.email) = lower(r.email) and a.active
    join person p on p.account_uid = a.uid and p.active
    join client c on c.uid = p.client_uid and c.active
    where r.token_hash = ${tokenHash} and r.used_at is null and r.voided_at is null and r.expires_at > ${now}
    group by r.uid`.execute(system)
  return rows[0]
}

/** The current password hashes of accounts whose password the token has set, until the token expires. */
export async function listPasswordsSetBy(system: Db, tokenHash: Buffer, now: Date): Promise<string[]> {
  const accounts = await system
    .selectFrom('passwordReset as r')
    .innerJoin('account as a', (join) => join.on(sql<boolean>`lower(a.email) = lower(r.email)`))
    .select('a.passwordHash')
    .distinct()
    .where('r.tokenHash', '=', tokenHash)
    .where('r.usedAt', 'is not', null)
    .where('r.expiresAt', '>', now)
    .where('a.active', '=', true)
    .execute()
  return accounts.flatMap(({ passwordHash }) => passwordHash ?? [])
}
