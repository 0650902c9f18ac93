import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import { noteAccounts } from '../in-act.service.ts'
import { marked } from './marked.ts'

/** Returns the accounts of those who were active. */
export async function endPeople(tx: Tx, clientUid: string, personUids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ accountUid: string | null }>`${marked}
    update person set active = false, updated_at = now()
    where client_uid = ${clientUid} and uid = any (${personUids}::uuid[]) and active
    returning account_uid`.execute(tx)
  noteAccounts(
    tx,
    rows.map(({ accountUid }) => accountUid),
  )
  return rows.flatMap(({ accountUid }) => accountUid ?? [])
}

/** Whether people are in use. */
export async function setActive(tx: Tx, clientUid: string, rows: readonly { uid: string; active: boolean }[]) {
  const set = await sql<{ accountUid: string | null }>`${marked}
    update person t set active = i.active, updated_at = now()
    from ${recordset(rows, { uid: 'uuid', active: 'boolean' })}
    where t.client_uid = ${clientUid} and t.uid = i.uid returning t.account_uid`.execute(tx)
  noteAccounts(
    tx,
    set.rows.map(({ accountUid }) => accountUid),
  )
}

/** Gives one of two people who are merged this account, and the other none. Who goes points to who stays. */
export async function joinPeople(
  tx: Tx,
  { clientUid, stays, goes }: { clientUid: ClientUid; stays: PersonUid; goes: PersonUid },
  kept: string | null,
): Promise<void> {
  noteAccounts(tx, [kept])
  const ofPerson = (uid: PersonUid) => sql`client_uid = ${clientUid} and uid = ${uid}`
  await sql`${marked} update person set account_uid = null, merged_into_uid = ${stays}, updated_at = now()
    where ${ofPerson(goes)}`.execute(tx)
  await sql`${marked} update person set account_uid = ${kept} where ${ofPerson(stays)}`.execute(tx)
}

/** Takes the account away from someone who is erased. */
export async function unlinkAccount(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<void> {
  await sql`${marked}
    update person set account_uid = null where client_uid = ${clientUid} and uid = ${personUid}`.execute(tx)
}
