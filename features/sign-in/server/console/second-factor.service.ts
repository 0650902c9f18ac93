import type { Tx } from '#server/platform/db/db.ts'
import { revokeConsoleSessions } from './console-session.queries.ts'
import { deleteSecondFactor } from './second-factor.queries.ts'

/** Takes the second factor and its recovery codes away, and ends the console sessions of the account. */
export async function dropSecondFactor(tx: Tx, accountUid: string): Promise<void> {
  await deleteSecondFactor(tx, accountUid)
  await revokeConsoleSessions(tx, [accountUid])
}
