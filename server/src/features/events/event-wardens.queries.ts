import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

/** The open sign-in of an assignment, held until the transaction ends: it cannot go on duty meanwhile. */
export function lockSignIn(tx: Tx, eventUid: string, assignmentUid: string) {
  return tx
    .selectFrom('wardenSignIn')
    .select(['uid', 'onDuty'])
    .where('eventUid', '=', eventUid)
    .where('assignmentUid', '=', assignmentUid)
    .where('closedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function closeSignIn(tx: Tx, signInUid: string): Promise<void> {
  await tx.updateTable('wardenSignIn').set({ closedAt: sql`now()` }).where('uid', '=', signInUid).execute()
}
