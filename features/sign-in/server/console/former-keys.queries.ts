import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

/** All second factors, sealed. */
export const listSecondFactors = (db: Db) => db.selectFrom('secondFactor').select(['accountUid', 'secret']).execute()

/** Unused recovery codes that another key has hashed, or an unknown one, and how many accounts have them. */
export async function countCodesOfOtherKeys(db: Db, keyId: string): Promise<{ codes: number; accounts: number }> {
  const { rows } = await sql<{ codes: number; accounts: number }>`
    select count(*)::int as codes, count(distinct account_uid)::int as accounts from recovery_code
    where used_at is null and key_id is distinct from ${keyId}`.execute(db)
  return rows[0] ?? { codes: 0, accounts: 0 }
}
