import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { noteAccounts } from '../in-act.service.ts'
import { marked } from './marked.ts'

/** Locks the second factor, so that one of two requests with the same code comes second. */
export function lockSecondFactor(tx: Tx, accountUid: string) {
  return tx
    .selectFrom('secondFactor')
    .select(['secret', 'lastStep'])
    .where('accountUid', '=', accountUid)
    .forUpdate()
    .executeTakeFirst()
}

/** A time step counts once, and none before it. */
export async function takeStep(tx: Tx, accountUid: string, step: number): Promise<void> {
  await sql`${marked} update second_factor set last_step = ${step} where account_uid = ${accountUid}`.execute(tx)
}

/** Of the owner's own link. False if the account has a second factor already. */
export async function insertSecondFactor(
  tx: Tx,
  { accountUid, secret, lastStep }: { accountUid: string; secret: Buffer; lastStep: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`${marked}
    insert into second_factor (account_uid, secret, last_step) values (${accountUid}, ${secret}, ${lastStep})
    on conflict (account_uid) do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** Takes the second factor away with its recovery codes. False if there was none. */
export async function deleteSecondFactor(tx: Tx, accountUid: string): Promise<boolean> {
  noteAccounts(tx, [accountUid])
  const { numAffectedRows } = await sql`${marked} delete from second_factor where account_uid = ${accountUid}`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Of the demo's administrators: also in place of one that another SECRET_KEY has sealed. */
export async function setDemoFactor(tx: Tx, accountUid: string, secret: Buffer): Promise<void> {
  await sql`${marked}
    insert into second_factor (account_uid, secret, last_step) values (${accountUid}, ${secret}, 0)
    on conflict (account_uid) do update set secret = excluded.secret, last_step = 0`.execute(tx)
}

/** `keyId` tells the key of the hashes. */
export async function replaceRecoveryCodes(
  tx: Tx,
  accountUid: string,
  { hashes, keyId }: { hashes: readonly Buffer[]; keyId: string },
): Promise<void> {
  await sql`${marked} delete from recovery_code where account_uid = ${accountUid}`.execute(tx)
  await sql`${marked}
    insert into recovery_code (account_uid, code_hash, key_id)
    select ${accountUid}, h, ${keyId} from unnest(${hashes as Buffer[]}::bytea[]) h`.execute(tx)
}

/** Puts the same second factor, sealed with another key, in its place, unless it was set anew meanwhile. */
export async function resealSecondFactor(
  system: Db,
  accountUid: string,
  { from, to }: { from: Buffer; to: Buffer },
): Promise<void> {
  await sql`${marked}
    update second_factor set secret = ${to} where account_uid = ${accountUid} and secret = ${from}`.execute(system)
}

/** Notes the key of recovery codes that a node of the version before has made. */
export async function noteKeyOfRecoveryCodes(system: Db, keyId: string): Promise<void> {
  await sql`${marked} update recovery_code set key_id = ${keyId} where key_id is null`.execute(system)
}

/** Uses the recovery code that has one of these hashes. True for one of several requests at once. */
export async function takeRecoveryCode(tx: Tx, accountUid: string, hashes: readonly Buffer[]): Promise<boolean> {
  const { numAffectedRows } = await sql`${marked}
    update recovery_code set used_at = now()
    where account_uid = ${accountUid} and code_hash = any(${hashes as Buffer[]}::bytea[]) and used_at is null`.execute(
    tx,
  )
  return numAffectedRows === 1n
}
