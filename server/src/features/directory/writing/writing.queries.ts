import type { ClientUid } from '@evac/contract/ids.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/db.ts'

export interface ClientValues {
  uid: string
  code: string
  name: string
  smsAllowed: boolean
  timezone: string
  country: string
}

export async function insertClient(
  tx: Tx,
  values: Partial<ClientValues> & Pick<ClientValues, 'uid' | 'code' | 'name'>,
) {
  await tx.insertInto('client').values(values).execute()
}

export async function updateClient(tx: Tx, uid: ClientUid, values: Partial<ClientValues>): Promise<void> {
  await tx
    .updateTable('client')
    .set({ ...values, updatedAt: sql`now()` })
    .where('uid', '=', uid)
    .execute()
}

/** Returns the accounts of those who were active. */
export async function endPeople(tx: Tx, clientUid: string, personUids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ accountUid: string | null }>`
    update person set active = false, updated_at = now()
    where client_uid = ${clientUid} and uid = any (${personUids}::uuid[]) and active
    returning account_uid`.execute(tx)
  return rows.flatMap(({ accountUid }) => accountUid ?? [])
}

export async function endPeeps(tx: Tx, clientUid: string, personUids: readonly string[]): Promise<void> {
  await sql`
    update peep set active = false, updated_at = now()
    where client_uid = ${clientUid} and person_uid = any (${personUids}::uuid[]) and active`.execute(tx)
}
