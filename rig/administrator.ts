import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { hashOf, newConsoleToken } from './access-tokens.ts'
import { passwordHash } from './organisation.ts'

/** Returns the token of an administrator of the whole organisation with the Plans permission. */
export async function seedAdministrator(pool: pg.Pool, clientUid: string): Promise<string> {
  const [accountUid, personUid, token] = [randomUUID(), randomUUID(), newConsoleToken()]
  const run = (text: string, ...values: unknown[]) => pool.query(text, values)
  await run(
    'insert into account (uid, owner_client_uid, email, password_hash) values ($1, $2, $3, $4)',
    accountUid,
    clientUid,
    `${accountUid}@bench.test`,
    passwordHash,
  )
  await run(
    `insert into person (client_uid, uid, code, account_uid, first_name, last_name) values ($1, $2, 'ADMIN', $3, 'Nora', 'Lind')`,
    clientUid,
    personUid,
    accountUid,
  )
  await run(
    `insert into administrator (client_uid, person_uid, reach, sees_plans) values ($1, $2, 'organisation', true)`,
    clientUid,
    personUid,
  )
  await run(`insert into second_factor (account_uid, secret, last_step) values ($1, '\\x00', 0)`, accountUid)
  await run(
    `insert into console_session (token_hash, account_uid, password_digest, expires_at)
     values ($1, $2, sha256(convert_to($3, 'UTF8')), now() + interval '12 hours')`,
    hashOf(token),
    accountUid,
    passwordHash,
  )
  return token
}
