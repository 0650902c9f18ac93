import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

/** Who signs in with this address, with the first name to greet them by; nobody without a person in use. */
export async function findByEmail(system: Db, email: string) {
  const { rows } = await sql<{ uid: string; email: string; firstName: string }>`
    select a.uid, a.email, p.first_name from account a
    join person p on p.account_uid = a.uid and p.active
    join client c on c.uid = p.client_uid and c.active
    where lower(a.email) = ${email} and a.active
    order by p.created_at, p.uid limit 1`.execute(system)
  return rows[0]
}

/** Requests and changes of one account take turns. */
export async function lockAccount(tx: Tx, accountUid: string): Promise<void> {
  await tx.selectFrom('account').select('uid').where('uid', '=', accountUid).forNoKeyUpdate().execute()
}

export async function voidResets(tx: Tx, accountUid: string, now: Date): Promise<void> {
  await tx
    .updateTable('passwordReset')
    .set({ voidedAt: now })
    .where('accountUid', '=', accountUid)
    .where('usedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .execute()
}

export interface NewReset {
  uid: string
  accountUid: string | null
  tokenHash: Buffer
  expiresAt: Date
}

export async function insertReset(tx: Tx, reset: NewReset): Promise<void> {
  await tx.insertInto('passwordReset').values(reset).execute()
}

export interface OpenReset {
  uid: string
  accountUid: string
  email: string
  username: string | null
  /** One for each organisation. */
  people: { clientUid: string; personUid: string; firstName: string; lastName: string }[]
}

/** The reset that a token stands for, while it can be used. */
export async function findOpenReset(system: Db, tokenHash: Buffer, now: Date): Promise<OpenReset | undefined> {
  const { rows } = await sql<OpenReset>`
    select r.uid, a.uid as account_uid, a.email, a.username,
      jsonb_agg(jsonb_build_object('clientUid', p.client_uid, 'personUid', p.uid, 'firstName', p.first_name,
        'lastName', p.last_name) order by p.created_at, p.uid) as people
    from password_reset r
    join account a on a.uid = r.account_uid and a.active and a.email is not null
    join person p on p.account_uid = a.uid and p.active
    join client c on c.uid = p.client_uid and c.active
    where r.token_hash = ${tokenHash} and r.used_at is null and r.voided_at is null and r.expires_at > ${now}
    group by r.uid, a.uid`.execute(system)
  return rows[0]
}

/** The password hash that stands now, of whoever a token has set one for, while it would not be too old. */
export async function findPasswordSetBy(system: Db, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const account = await system
    .selectFrom('passwordReset as r')
    .innerJoin('account as a', 'a.uid', 'r.accountUid')
    .select('a.passwordHash')
    .where('r.tokenHash', '=', tokenHash)
    .where('r.usedAt', 'is not', null)
    .where('r.expiresAt', '>', now)
    .where('a.active', '=', true)
    .executeTakeFirst()
  return account?.passwordHash ?? undefined
}

/** Of any number of attempts at once one uses the link up. */
export async function redeemReset(tx: Tx, uid: string, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('passwordReset')
    .set({ usedAt: now })
    .where('uid', '=', uid)
    .where('usedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return used.numUpdatedRows === 1n
}

/** What the last import read stays: the next one leaves a password alone that was changed since. */
export async function setPasswordHash(tx: Tx, accountUid: string, passwordHash: string): Promise<void> {
  await tx.updateTable('account').set({ passwordHash, updatedAt: sql`now()` }).where('uid', '=', accountUid).execute()
}
