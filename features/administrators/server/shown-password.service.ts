import { voidShownPassword } from '#features/authority/server/writes/accounts.queries.ts'
import { dropSecondFactor } from '#features/sign-in/server/console/console-session.service.ts'
import { endSessions } from '#features/sign-in/server/session.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Staff } from './administrators.queries.ts'

/**
 * Whoever saw the link of an invitation may know the password that it set, so it opens no console: the person sets another one.
 * What that password opened ends, too.
 */
export async function withoutShownPassword(tx: Tx, staff: Staff): Promise<Staff> {
  const { accountUid, hasShownPassword } = staff
  if (!accountUid || !hasShownPassword) return staff
  await voidShownPassword(tx, accountUid)
  await dropSecondFactor(tx, accountUid)
  await endSessions(tx, [accountUid])
  return { ...staff, hasPassword: false, hasSecondFactor: false, hasShownPassword: false }
}
