import type pg from 'pg'
import { passwordHash } from '../../rig/organisation.ts'
import type { World } from './seed.ts'

/** Gives `count` wardens of the world that password. Returns their email addresses. */
export async function givePasswords(pool: pg.Pool, { clientUid }: World, count: number): Promise<string[]> {
  const { rows } = await pool.query(
    `update account set password_hash = $2 where uid in (
       select account_uid from person where client_uid = $1 and account_uid is not null limit $3) returning email`,
    [clientUid, passwordHash, count],
  )
  return rows.map(({ email }) => email)
}
