import type pg from 'pg'
import type { World } from './seed.ts'

export const password = 'evacuate1'
/** The argon2id hash of that password, with the parameters of the product. */
export const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$aEP1LXXBZ41qDXrZriHnIw$gL5yVU3QAnk/+IxK0Ni2kikQcTGndYj09aX/8aATEx4'

/** Gives `count` wardens of the world that password. Returns their email addresses. */
export async function givePasswords(pool: pg.Pool, { clientUid }: World, count: number): Promise<string[]> {
  const { rows } = await pool.query(
    `update account set password_hash = $2 where uid in (
       select account_uid from person where client_uid = $1 and account_uid is not null limit $3) returning email`,
    [clientUid, passwordHash, count],
  )
  return rows.map(({ email }) => email)
}
