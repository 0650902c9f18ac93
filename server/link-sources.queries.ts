import { sql } from 'kysely'
import type { Db } from './platform/db/db.ts'

/** That of the hashes which a link in a text or mail has. Undefined: none has. */
export async function findIssued(system: Db, hashes: readonly Buffer[]): Promise<Buffer | undefined> {
  const isOne = sql`token_hash = any(${hashes as Buffer[]}::bytea[])`
  const { rows } = await sql<{ tokenHash: Buffer }>`
    select token_hash from report_in_link where ${isOne}
    union all select token_hash from mobile_token where ${isOne}
    union all select token_hash from self_link where ${isOne}
    union all select token_hash from plan_notice where ${isOne}
    union all select token_hash from password_reset where ${isOne}
    union all select token_hash from invitation where ${isOne}
    limit 1`.execute(system)
  return rows[0]?.tokenHash
}
