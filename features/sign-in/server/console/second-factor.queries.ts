import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'

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
  await tx.updateTable('secondFactor').set({ lastStep: step }).where('accountUid', '=', accountUid).execute()
}

/** False if the account has a second factor already. */
export async function insertSecondFactor(
  tx: Tx,
  factor: { accountUid: string; secret: Buffer; lastStep: number },
): Promise<boolean> {
  const made = await tx
    .insertInto('secondFactor')
    .values(factor)
    .onConflict((oc) => oc.column('accountUid').doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}

/** Takes the second factor away with its recovery codes. False if there was none. */
export async function deleteSecondFactor(tx: Tx, accountUid: string): Promise<boolean> {
  const gone = await tx.deleteFrom('secondFactor').where('accountUid', '=', accountUid).executeTakeFirst()
  return gone.numDeletedRows === 1n
}

export async function replaceRecoveryCodes(tx: Tx, accountUid: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recoveryCode').where('accountUid', '=', accountUid).execute()
  await tx
    .insertInto('recoveryCode')
    .values(hashes.map((codeHash) => ({ accountUid, codeHash })))
    .execute()
}

/** Uses a recovery code. True for one of several requests at once. */
export async function takeRecoveryCode(tx: Tx, accountUid: string, codeHash: Buffer): Promise<boolean> {
  const used = await tx
    .updateTable('recoveryCode')
    .set({ usedAt: sql`now()` })
    .where('accountUid', '=', accountUid)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows === 1n
}
